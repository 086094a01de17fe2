//! Modules that `protocol!` makes: they are the generated implementations, with all options.

use motet_protocol_macro::protocol;
use std::thread;

protocol! {
    mod turn_game = "../../examples/sessions/turn-game.dcj";
    style = strict;
    type Move = Vec<u8>;
}

protocol! {
    /// Requests through a pipeline of three.
    pub(crate) mod pipeline = "../../examples/sessions/request-pipeline.dcj";
    session = "request-pipeline";
    arg = 3;
    capacity = 2;
    typed;
}

protocol! { mod streaming = "../../examples/sessions/streaming.dcj"; type Value = u64; }

#[test]
fn a_module_runs() {
    let streaming::Session { mut source, mut sink } = streaming::open();
    let sender = thread::spawn(move || {
        (0..10).for_each(|value| source.send_value_to_sink(value).unwrap());
        source.send_stop_to_sink().unwrap();
    });
    let mut sum = 0;
    while let streaming::Message::Value(value) = sink.recv_from_source().unwrap() {
        sum += value;
    }
    sender.join().unwrap();
    assert_eq!(sum, 45);
}

#[test]
fn options_are_followed() {
    assert_eq!(turn_game::TABLES.style, motet_session::Style::Strict);
    let turn_game::Session { mut white, mut black } = turn_game::open();
    white.send_move_to_black(vec![1, 2]).unwrap();
    assert!(matches!(black.recv_from_white(), Ok(turn_game::Message::Move(bytes)) if bytes == [1, 2]));
    assert_eq!(pipeline::TABLES.capacity, Some(2));
    assert_eq!(pipeline::TABLES.style, motet_session::Style::Liberal);
}
