//! Roles in different processes: a connection for each pair of roles, messages as lines of JSON.
//!
//! The machine of a role is the same as in one process, so that what was checked is what runs. Only liberal implementations can be spread over processes,
//! since a strict one shares its state, and only messages, since a handshake needs both sides at once.

use crate::{
    Payload,
    endpoint::Endpoint,
    error::Error,
    liberal::Neighbour,
    queue::{Envelope, Outlet, Queue, Room, queue},
    tables::{Style, Tables, Verb},
    waiting::lock,
};
use serde::{Serialize, de::DeserializeOwned};
use std::{
    io::{self, BufRead, BufReader, Write},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    task::Waker,
    thread,
    time::{Duration, Instant},
};

/// How long a role waits for the others to come.
const PATIENCE: Duration = Duration::from_secs(30);

/// Joins a session as a role. `addresses` has the address of each role, in order; this role listens at its own. Returns when all roles have come.
pub fn join<M>(tables: &'static Tables, role: u32, addresses: &[SocketAddr]) -> Result<Endpoint<M>, Error>
where
    M: Payload + Serialize + DeserializeOwned + Send + 'static,
{
    if tables.style == Style::Strict || tables.actions.iter().any(|action| action.verb == Verb::Handshake) {
        return Err(Error::NotAllowed(
            "only liberal implementations without handshakes can be spread".into(),
        ));
    }
    if addresses.len() != tables.roles.len() || role as usize >= addresses.len() {
        return Err(Error::NotAllowed(format!("there are {} roles", tables.roles.len())));
    }
    let streams = meet(role, addresses).map_err(|error| Error::Network(error.to_string()))?;
    let neighbours = streams.into_iter().map(|stream| stream.map(neighbour).transpose());
    let neighbours = neighbours.collect::<io::Result<Vec<_>>>();
    Ok(Endpoint::liberal(tables, role, neighbours.map_err(|error| Error::Network(error.to_string()))?))
}

/// Connects to all roles with smaller numbers, and waits for those with larger ones. Who connects says who it is.
fn meet(role: u32, addresses: &[SocketAddr]) -> io::Result<Vec<Option<TcpStream>>> {
    let listener = TcpListener::bind(addresses[role as usize])?;
    let mut streams: Vec<Option<TcpStream>> = addresses.iter().map(|_| None).collect();
    for (other, address) in addresses.iter().enumerate().take(role as usize) {
        let mut stream = connect(*address)?;
        stream.write_all(&role.to_be_bytes())?;
        streams[other] = Some(stream);
    }
    for _ in role as usize + 1..addresses.len() {
        let (mut stream, _) = listener.accept()?;
        let mut number = [0; 4];
        io::Read::read_exact(&mut stream, &mut number)?;
        let other = u32::from_be_bytes(number) as usize;
        if other <= role as usize || streams.get(other).is_none_or(Option::is_some) {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "somebody came who is not expected"));
        }
        streams[other] = Some(stream);
    }
    Ok(streams)
}

fn connect(address: SocketAddr) -> io::Result<TcpStream> {
    let begun = Instant::now();
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => return Ok(stream),
            Err(error) if begun.elapsed() > PATIENCE => return Err(error),
            Err(_) => thread::sleep(Duration::from_millis(20)),
        }
    }
}

fn neighbour<M>(stream: TcpStream) -> io::Result<Neighbour<M>>
where
    M: Serialize + DeserializeOwned + Send + 'static,
{
    stream.set_nodelay(true)?;
    let (local, inlet) = queue(None);
    let reading = stream.try_clone()?;
    // It ends when the connection does.
    thread::spawn(move || read(reading, &local));
    let outlet: Arc<dyn Outlet<M>> = Arc::new(Connection { stream: Mutex::new(stream) });
    Ok(Neighbour { inlet: Some(inlet), outlet: Some(outlet), offering: None, taking: None })
}

fn read<M: DeserializeOwned + Send>(stream: TcpStream, queue: &Queue<M>) {
    for line in BufReader::new(stream).lines() {
        let Some((stamp, value)) = line.ok().and_then(|line| serde_json::from_str(&line).ok()) else { break };
        if queue.push(Envelope { stamp, value }).is_err() {
            break;
        }
    }
    queue.close();
}

/// The sending end of a connection.
struct Connection {
    stream: Mutex<TcpStream>,
}

impl<M: Serialize> Outlet<M> for Connection {
    fn room(&self, _waker: Option<&Waker>) -> Room {
        Room::Yes
    }

    fn push(&self, envelope: Envelope<M>) -> Result<(), Error> {
        let failed = |error: &dyn ToString| Error::Network(error.to_string());
        let mut line =
            serde_json::to_vec(&(envelope.stamp, envelope.value)).map_err(|error| failed(&error))?;
        line.push(b'\n');
        lock(&self.stream).write_all(&line).map_err(|error| failed(&error))
    }

    fn close(&self) {
        let _ = lock(&self.stream).shutdown(Shutdown::Write);
    }
}
