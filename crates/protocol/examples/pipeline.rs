//! Requests through a filter to a server, each role in a process of its own, over TCP. The protocol is `examples/sessions/request-pipeline.dcj` for three
//! requests. Without an argument this starts all four processes.

extern crate session as motet_session;

#[rustfmt::skip]
#[path = "../tests/generated/request_pipeline.rs"]
mod request_pipeline;

use request_pipeline::{Filter, Message, Reader, Server, Writer};
use std::{
    env,
    error::Error,
    net::{SocketAddr, TcpListener},
    process::{Child, Command},
};

const REQUESTS: u64 = 3;

fn write(at: &[SocketAddr]) -> Result<(), Box<dyn Error>> {
    let mut writer = Writer::join(at)?;
    for request in 1..=REQUESTS {
        println!("writer: request {request}");
        writer.send_request_to_filter(request)?;
    }
    Ok(())
}

fn filter(at: &[SocketAddr]) -> Result<(), Box<dyn Error>> {
    let mut filter = Filter::join(at)?;
    for _ in 0..REQUESTS {
        if let Message::Request(request) = filter.recv_from_writer()? {
            filter.send_request_to_server(request)?;
        }
    }
    Ok(())
}

fn serve(at: &[SocketAddr]) -> Result<(), Box<dyn Error>> {
    let mut server = Server::join(at)?;
    for _ in 0..REQUESTS {
        if let Message::Request(request) = server.recv_from_filter()? {
            server.send_answer_to_reader(request * request)?;
        }
    }
    Ok(())
}

fn read(at: &[SocketAddr]) -> Result<(), Box<dyn Error>> {
    let mut reader = Reader::join(at)?;
    for _ in 0..REQUESTS {
        if let Message::Answer(answer) = reader.recv_from_server()? {
            println!("reader: answer {answer}");
        }
    }
    Ok(())
}

/// Starts a process for each role, at ports that are free now.
fn start() -> Result<(), Box<dyn Error>> {
    let listeners = (0..4).map(|_| TcpListener::bind("127.0.0.1:0")).collect::<Result<Vec<_>, _>>()?;
    let addresses = listeners.iter().map(|it| it.local_addr().map(|it| it.to_string()));
    let addresses = addresses.collect::<Result<Vec<_>, _>>()?;
    drop(listeners);
    let program = env::current_exe()?;
    let start = |role: &str| Command::new(&program).arg(role).args(&addresses).spawn();
    let roles = ["writer", "filter", "server", "reader"].map(start);
    for role in roles {
        let mut role: Child = role?;
        if !role.wait()?.success() {
            return Err("a role has failed".into());
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let role = arguments.next();
    let addresses = arguments.map(|text| text.parse()).collect::<Result<Vec<SocketAddr>, _>>()?;
    match role.as_deref() {
        None => start(),
        Some("writer") => write(&addresses),
        Some("filter") => filter(&addresses),
        Some("server") => serve(&addresses),
        Some("reader") => read(&addresses),
        Some(other) => Err(format!("there is no role {other}").into()),
    }
}
