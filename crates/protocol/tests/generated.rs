//! Generated code: its core is checked, and its endpoints do what the core does.

extern crate session as motet_session;

#[rustfmt::skip]
#[path = "generated/meetings_liberal.rs"]
mod meetings_liberal;
#[rustfmt::skip]
#[path = "generated/meetings_strict.rs"]
mod meetings_strict;
#[rustfmt::skip]
#[path = "generated/multicast.rs"]
mod multicast;
#[rustfmt::skip]
#[path = "generated/request_pipeline.rs"]
mod request_pipeline;
#[rustfmt::skip]
#[path = "generated/turn_game_liberal.rs"]
mod turn_game_liberal;
#[rustfmt::skip]
#[path = "generated/turn_game_strict.rs"]
mod turn_game_strict;

use motet_protocol::{assert_holds, assert_implements, holds, implements, specification};
use motet_session::{Action, Core, Endpoint, Error, Payload, TableCore, Tables, Verb};
use std::{
    borrow::Cow,
    future::Future,
    pin::pin,
    task::{Context, Poll, Waker},
    thread,
};

const TURN_GAME: &str = include_str!("../../../examples/sessions/turn-game.dcj");
const MEETINGS: &str = include_str!("../../../tests/protocols/meetings.dcj");

#[test]
fn cores_are_checked_in_ordinary_tests() {
    for core in [turn_game_liberal::core(), turn_game_strict::core()] {
        assert_holds!(core.clone(), r#"G("white SEND <Move>" -> X(!"white SEND" W "black SEND"))"#);
        assert_holds!(core.clone(), "G !DEAD");
        assert_implements!(core, TURN_GAME);
    }
    assert_implements!(meetings_liberal::core(), MEETINGS);
    assert_implements!(meetings_strict::core(), MEETINGS, "meetings", []);
    assert_implements!(multicast::core(), include_str!("../../../examples/sessions/multicast.dcj"));
    let reason = holds(turn_game_liberal::core(), "F END").unwrap_err();
    assert!(reason.contains("for ever:") && reason.contains("white SEND Move TO black"), "{reason}");
    assert!(
        holds(turn_game_liberal::core(), "F \"red SEND\"").unwrap_err().contains("there is no role `red`")
    );
    let exact = specification(MEETINGS, None, &[]).unwrap();
    assert_eq!(implements(meetings_strict::core(), &exact, true), Ok(()));
    let added = implements(meetings_liberal::core(), &exact, true).unwrap_err();
    assert!(added.starts_with("a run is added:") && added.ends_with("client SEND Bye TO server"), "{added}");
}

/// An implementation by hand: whose turn it is, and what is on its way. The mistake is that black may move twice.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
struct ByHand {
    black_is_next: bool,
    on_its_way: Option<u32>,
    over: bool,
    wrong: bool,
}

impl Core for ByHand {
    fn roles(&self) -> Vec<Cow<'static, str>> {
        vec!["white".into(), "black".into()]
    }

    fn types(&self) -> Vec<Cow<'static, str>> {
        vec!["Move".into(), "Resign".into()]
    }

    fn actions(&self) -> Vec<Action> {
        let action = |verb, from: u32, message| Action { verb, from, to: vec![1 - from].into(), message };
        let of = |from| {
            [
                action(Verb::Send, from, Some(0)),
                action(Verb::Send, from, Some(1)),
                action(Verb::Receive, from, None),
            ]
        };
        [of(0), of(1)].concat()
    }

    fn try_send(&mut self, action: u32) -> bool {
        let allowed = self.on_its_way.is_none() && !self.over && self.black_is_next == (action >= 3);
        if allowed {
            self.on_its_way = Some(action % 3);
        }
        allowed
    }

    fn try_recv(&mut self, action: u32) -> Option<Option<u32>> {
        if (action == 5) != self.black_is_next {
            return None;
        }
        let kind = self.on_its_way.take()?;
        self.over = kind == 1;
        self.black_is_next = !self.black_is_next || self.wrong;
        Some(Some(kind))
    }

    fn may_end(&self) -> bool {
        self.over && self.on_its_way.is_none()
    }

    fn queue(&self, from: u32, _to: u32) -> Vec<Option<u32>> {
        self.on_its_way.filter(|_| self.black_is_next == (from == 1)).map(Some).into_iter().collect()
    }
}

#[test]
fn implementations_by_hand_are_compared_too() {
    assert_implements!(ByHand::default(), TURN_GAME);
    assert_holds!(ByHand::default(), "G \"LEN(white,black) <= 1\"");
    let graph = specification(TURN_GAME, None, &[]).unwrap();
    let reason = implements(ByHand { wrong: true, ..ByHand::default() }, &graph, false).unwrap_err();
    assert_eq!(reason.lines().count(), 6, "{reason}");
    assert!(
        reason.ends_with(
            "black SEND Move TO white\n    white RECV Move FROM black\n    white SEND Move TO black"
        ),
        "{reason}"
    );
}

/// A value for any type, so that endpoints of any tables can be driven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Any(Option<u32>);

impl Payload for Any {
    fn kind(&self) -> Option<u32> {
        self.0
    }
}

/// Endpoints and the core take the same steps, whatever is tried.
#[test]
fn endpoints_do_what_the_core_does() {
    for tables in
        [&turn_game_liberal::TABLES, &turn_game_strict::TABLES, &multicast::TABLES, &request_pipeline::TABLES]
    {
        for seed in 0..40 {
            in_step(tables, seed);
        }
    }
}

fn in_step(tables: &'static Tables, mut seed: u64) {
    let mut core = TableCore::new(tables);
    let mut ends: Vec<Endpoint<Any>> = motet_session::open(tables);
    for _ in 0..60 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let number = u32::try_from((seed >> 33) % tables.actions.len() as u64).unwrap();
        let action = &tables.actions[number as usize];
        let end = &mut ends[action.subject() as usize];
        if action.verb == Verb::Receive {
            let expected = core.try_recv(number);
            let found = end.try_recv(action.from).ok().flatten();
            assert_eq!(found.map(|value| value.0), expected);
        } else if let [to] = *action.to {
            let expected = core.try_send(number);
            assert_eq!(matches!(end.try_send(to, Any(action.message)), Ok(None)), expected);
        } else if core.try_send(number) {
            end.send_all(&action.to, Any(action.message)).unwrap();
        }
    }
}

#[test]
fn a_game_is_played_by_two_threads() {
    let turn_game_liberal::Session { mut white, mut black } = turn_game_liberal::open();
    let other = thread::spawn(move || {
        let mut seen = Vec::new();
        while let turn_game_liberal::Message::Move(value) = black.recv_from_white().unwrap() {
            seen.push(value);
            black.send_move_to_white(value + 1).unwrap();
        }
        assert!(black.may_stop());
        seen
    });
    for value in (0..1000).step_by(2) {
        white.send_move_to_black(value).unwrap();
        assert!(matches!(white.send_move_to_black(0), Err(Error::NotAllowed(_))), "not twice in a row");
        let turn_game_liberal::Message::Move(answer) = white.recv_from_black().unwrap() else { panic!() };
        assert_eq!(answer, value + 1);
    }
    white.send_resign_to_black().unwrap();
    assert_eq!(other.join().unwrap(), (0..1000).step_by(2).collect::<Vec<u32>>());
}

#[test]
fn a_strict_operation_waits_until_it_is_allowed() {
    let turn_game_strict::Session { mut white, mut black } = turn_game_strict::open();
    let other = thread::spawn(move || {
        // It is not black's turn yet: this waits for the move of white to be received, which black does later. So it cannot be first.
        assert!(black.try_send(0, turn_game_strict::Message::Move(9)).unwrap().is_some());
        let first = black.recv_from_white().unwrap();
        black.send_move_to_white(2).unwrap();
        (
            matches!(first, turn_game_strict::Message::Move(1)),
            matches!(black.recv_from_white(), Ok(turn_game_strict::Message::Resign)),
        )
    });
    white.send_move_to_black(1).unwrap();
    assert!(matches!(white.recv_from_black(), Ok(turn_game_strict::Message::Move(2))));
    white.send_resign_to_black().unwrap();
    assert_eq!(other.join().unwrap(), (true, true));
}

#[test]
fn handshakes_take_both_sides() {
    let meetings_liberal::Session { mut client, mut server } = meetings_liberal::open();
    let other = thread::spawn(move || {
        let mut sum = 0;
        while let meetings_liberal::Message::Ask(value) = server.recv_from_client().unwrap() {
            sum += u32::from(value);
            if value == 50 {
                server.send_no_to_client().unwrap();
                server.close_to_client().unwrap();
                assert!(matches!(server.recv_from_client(), Ok(meetings_liberal::Message::Bye)));
                break;
            }
            server.send_yes_to_client().unwrap();
        }
        sum
    });
    for value in 0.. {
        client.send_ask_to_server(value).unwrap();
        if let meetings_liberal::Message::No = client.recv_from_server().unwrap() {
            break;
        }
    }
    client.send_bye_to_server().unwrap();
    assert_eq!(other.join().unwrap(), 50 * 51 / 2);
}

#[test]
fn handshakes_of_a_strict_session() {
    let meetings_strict::Session { mut client, mut server } = meetings_strict::open();
    let other = thread::spawn(move || {
        assert!(matches!(server.recv_from_client(), Ok(meetings_strict::Message::Ask(7))));
        server.send_no_to_client().unwrap();
        server.close_to_client().unwrap();
        assert!(matches!(server.recv_from_client(), Ok(meetings_strict::Message::Bye)));
    });
    client.send_ask_to_server(7).unwrap();
    assert!(matches!(client.recv_from_server(), Ok(meetings_strict::Message::No)));
    // The server closes first; until then the protocol does not allow this, and it waits.
    client.send_bye_to_server().unwrap();
    other.join().unwrap();
}

#[test]
fn types_follow_the_protocol() {
    use turn_game_liberal::typed::{Black0FromWhite, White1FromBlack, open};
    let (white, black) = open();
    let other = thread::spawn(move || match black.recv_from_white().unwrap() {
        Black0FromWhite::Move(value, black) => {
            drop(black.send_move_to_white(value * 2).unwrap().recv_from_white());
        }
        Black0FromWhite::Resign(_) => panic!("white has moved"),
    });
    let answer = white.send_move_to_black(21).unwrap().recv_from_black().unwrap();
    let White1FromBlack::Move(value, white) = answer else { panic!("black has moved") };
    assert_eq!(value, 42);
    white.send_resign_to_black().map(drop).unwrap();
    other.join().unwrap();
}

#[test]
fn one_message_goes_to_several_roles_and_waits_for_room() {
    use multicast::{Message, role};
    let multicast::Session { mut coordinator, worker_0, worker_1, worker_2 } = multicast::open();
    let workers: Vec<_> = [worker_0.0, worker_1.0, worker_2.0]
        .into_iter()
        .map(|mut worker| {
            thread::spawn(move || {
                let mut commits = 0;
                while let Ok(Message::Prepare(text)) = worker.recv(role::COORDINATOR) {
                    assert_eq!(text, format!("round {commits}"));
                    worker.send(role::COORDINATOR, Message::Vote).unwrap();
                    commits += u32::from(matches!(worker.recv(role::COORDINATOR), Ok(Message::Commit)));
                }
                commits
            })
        })
        .collect();
    for round in 0..100 {
        coordinator.send_prepare_to_worker_0_and_worker_1_and_worker_2(format!("round {round}")).unwrap();
        for _ in 0..3 {
            assert!(matches!(coordinator.recv_any(), Ok((_, Message::Vote))));
        }
        coordinator.send_commit_to_worker_0_and_worker_1_and_worker_2().unwrap();
    }
    drop(coordinator);
    for worker in workers {
        assert_eq!(worker.join().unwrap(), 100);
    }
}

/// Polls a future once.
fn poll_once<F: Future>(future: F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn what_is_cancelled_has_not_happened() {
    use turn_game_liberal::{Message, role};
    let turn_game_liberal::Session { mut white, mut black } = turn_game_liberal::open();
    assert!(poll_once(black.recv_async(role::WHITE)).is_pending());
    assert_eq!(black.state(), Some(0));
    white.send_move_to_black(1).unwrap();
    let Poll::Ready(Ok((_, Message::Move(1)))) = poll_once(black.recv_async(role::WHITE)) else { panic!() };
    // A handshake that nobody came to is taken back.
    let meetings_liberal::Session { mut client, mut server } = meetings_liberal::open();
    assert!(
        poll_once(client.send_async(meetings_liberal::role::SERVER, meetings_liberal::Message::Ask(1)))
            .is_pending()
    );
    assert!(matches!(server.try_recv(meetings_liberal::role::CLIENT), Ok(None)));
    // One that was taken has happened for both, whoever looks away.
    {
        let mut sending =
            pin!(client.send_async(meetings_liberal::role::SERVER, meetings_liberal::Message::Ask(2)));
        assert!(sending.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert!(matches!(
            server.try_recv(meetings_liberal::role::CLIENT),
            Ok(Some(meetings_liberal::Message::Ask(2)))
        ));
    }
    assert_eq!(client.state(), Some(1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn endpoints_are_awaited() {
    use turn_game_liberal::{Message, role};
    let turn_game_liberal::Session { mut white, mut black } = turn_game_liberal::open();
    let other = tokio::spawn(async move {
        let mut count = 0;
        while let Ok((_, Message::Move(value))) = black.recv_async(role::WHITE).await {
            black.send_async(role::WHITE, Message::Move(value)).await.unwrap();
            count += 1;
        }
        count
    });
    for value in 0..200 {
        white.send_async(role::BLACK, Message::Move(value)).await.unwrap();
        // A receive that is given up again and again loses nothing.
        loop {
            let patience = std::time::Duration::from_micros(u64::from(value % 7));
            match tokio::time::timeout(patience, white.recv_async(role::BLACK)).await {
                Ok(received) => {
                    assert!(matches!(received, Ok((1, Message::Move(answer))) if answer == value));
                    break;
                }
                Err(_) => assert_eq!(white.state(), Some(1)),
            }
        }
    }
    white.send_async(role::BLACK, Message::Resign).await.unwrap();
    assert_eq!(other.await.unwrap(), 200);
}

#[test]
fn who_waits_for_nobody_hears_of_it() {
    let turn_game_liberal::Session { white, mut black } = turn_game_liberal::open();
    let waiting = thread::spawn(move || black.recv_from_white().err());
    drop(white);
    assert_eq!(waiting.join().unwrap(), Some(Error::Disconnected));
    let turn_game_strict::Session { white, mut black } = turn_game_strict::open();
    let waiting = thread::spawn(move || black.recv_from_white().err());
    drop(white);
    assert_eq!(waiting.join().unwrap(), Some(Error::Disconnected));
    let turn_game_liberal::Session { mut white, black } = turn_game_liberal::open();
    drop(black);
    assert_eq!(white.send_move_to_black(1).err(), Some(Error::Disconnected));
}

/// Free ports of this machine.
fn addresses(count: usize) -> Vec<std::net::SocketAddr> {
    let listeners: Vec<_> = (0..count).map(|_| std::net::TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    listeners.iter().map(|listener| listener.local_addr().unwrap()).collect()
}

#[test]
fn roles_in_different_processes_speak_over_tcp() {
    use request_pipeline::{Filter, Message, Reader, Server, Writer};
    let addresses = addresses(4);
    let roles: Vec<String> = request_pipeline::TABLES.roles.iter().map(ToString::to_string).collect();
    assert_eq!(roles, ["writer", "filter", "server", "reader"]);
    let start = |role: fn(&[std::net::SocketAddr]) -> u64| {
        let addresses = addresses.clone();
        thread::spawn(move || role(&addresses))
    };
    let threads = [
        start(|at| {
            let mut writer = Writer::join(at).unwrap();
            (1..=3).for_each(|request| writer.send_request_to_filter(request).unwrap());
            assert!(matches!(writer.send_request_to_filter(4), Err(Error::NotAllowed(_))));
            0
        }),
        start(|at| {
            let mut filter = Filter::join(at).unwrap();
            for _ in 0..3 {
                let Message::Request(value) = filter.recv_from_writer().unwrap() else { panic!() };
                filter.send_request_to_server(value * 10).unwrap();
            }
            0
        }),
        start(|at| {
            let mut server = Server::join(at).unwrap();
            for _ in 0..3 {
                let Message::Request(value) = server.recv_from_filter().unwrap() else { panic!() };
                server.send_answer_to_reader(value + 1).unwrap();
            }
            0
        }),
        start(|at| {
            let mut reader = Reader::join(at).unwrap();
            let answers = (0..3).map(|_| reader.recv_from_server().unwrap());
            answers.map(|answer| if let Message::Answer(value) = answer { value } else { 0 }).sum()
        }),
    ];
    assert_eq!(threads.into_iter().map(|it| it.join().unwrap()).sum::<u64>(), 63);
}

#[test]
fn a_build_script_makes_the_same_file() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/sessions/turn-game.dcj");
    let build = motet_protocol::Build::new(file).map_type("Move", "u32").typed().tcp();
    let made = build.text().unwrap();
    let kept = include_str!("generated/turn_game_liberal.rs");
    let without_origin = |text: &str| text.split_once('\n').unwrap().1.to_owned();
    assert_eq!(without_origin(&made), without_origin(kept));
    assert!(
        build.clone().style(motet_protocol::Style::Strict).text().unwrap_err().contains("--style liberal")
    );
    assert!(build.map_type("Mvoe", "u32").text().unwrap_err().contains("there is no message type `Mvoe`"));
}

/// What a checker asks a program, and what it answers.
#[test]
fn lines_are_answered() {
    let ask = |line: &str| motet_session::answer(&turn_game_liberal::TABLES, line);
    assert_eq!(ask("start"), "0,0||");
    assert_eq!(ask("send 0 0,0||"), "1,0|0.0|");
    assert_eq!(ask("send 3 0,0||"), "-");
    assert_eq!(ask("recv 1 1,0|0.0|"), "0 1,1||");
    assert_eq!((ask("end 0,0||"), ask("hello")), ("no".into(), "? hello".into()));
}
