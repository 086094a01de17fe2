//! Watching a program from inside: by words, by its channels, and by its events.

use motet_protocol::{Alarm, Style, Watch, Watched, WatchedError};
use std::{sync::Arc, thread};

const TURN_GAME: &str = include_str!("../../../examples/sessions/turn-game.dcj");

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    Move(u8),
    Resign,
}

fn kind(turn: &Turn) -> &str {
    match turn {
        Turn::Move(_) => "Move",
        Turn::Resign => "Resign",
    }
}

fn watch(properties: &[&str]) -> Arc<Watch> {
    let properties = properties.iter().map(ToString::to_string).collect();
    let watched = Watched { style: Style::Strict, properties, ..Watched::new(TURN_GAME) };
    Arc::new(Watch::new(watched).unwrap())
}

#[test]
fn a_program_that_keeps_to_the_protocol_is_left_alone() {
    let watch = watch(&["G !DEAD"]);
    let (to_black, from_white) = watch.channel("white", "black", kind);
    let (to_white, from_black) = watch.channel("black", "white", kind);
    let black = thread::spawn(move || {
        assert_eq!(from_white.recv(), Ok(Turn::Move(1)));
        to_white.send(Turn::Move(2)).unwrap();
        assert_eq!(from_white.recv(), Ok(Turn::Resign));
        assert_eq!(from_white.recv(), Err(WatchedError::Disconnected));
    });
    to_black.send(Turn::Move(1)).unwrap();
    assert_eq!(from_black.recv(), Ok(Turn::Move(2)));
    assert!(
        matches!(watch.end(), Err(Alarm::Deviation(text)) if text.starts_with("the session is not over"))
    );
    to_black.send(Turn::Resign).unwrap();
    drop(to_black);
    black.join().unwrap();
    assert_eq!(watch.end(), Ok(()));
}

#[test]
fn a_deviation_is_reported_at_once_with_the_run() {
    let watch = watch(&[]);
    let (to_black, from_white) = watch.channel("white", "black", kind);
    to_black.send(Turn::Move(1)).unwrap();
    let Err(WatchedError::Alarm(Alarm::Deviation(text))) = to_black.send(Turn::Move(2)) else {
        panic!("white moved twice");
    };
    assert_eq!(
        text,
        "the protocol does not allow `white SEND Move TO black`, after\n    1 white SEND Move TO black\n  allowed here: black RECV Move FROM white"
    );
    // What was not allowed was not sent.
    assert_eq!(from_white.try_recv(), Ok(Some(Turn::Move(1))));
    assert_eq!(from_white.try_recv(), Ok(None));
}

#[test]
fn properties_are_watched() {
    let watch = watch(&[r#"G !"black SEND <Move>""#]);
    for words in ["white SEND Move TO black", "black RECV Move FROM white"] {
        assert_eq!(watch.see(words), Ok(()));
    }
    let Err(Alarm::Violation(text)) = watch.see("black SEND Move TO white") else { panic!("black moved") };
    assert!(
        text.contains("however the program goes on") && text.ends_with("3 black SEND Move TO white"),
        "{text}"
    );
}

#[test]
fn what_is_no_action_is_said() {
    let watch = watch(&[]);
    assert_eq!(watch.see("red SEND Move TO black"), Err(Alarm::NoAction("there is no role `red`".into())));
    assert!(matches!(watch.see("nonsense"), Err(Alarm::NoAction(_))));
    assert!(Watch::new(Watched::new("(defsession")).is_err());
    let properties = vec!["G \"red SEND\"".to_owned()];
    assert!(Watch::new(Watched { properties, ..Watched::new(TURN_GAME) }).is_err());
}

#[cfg(feature = "tracing")]
#[test]
fn events_are_actions() {
    use std::sync::Mutex;
    use tracing_subscriber::layer::SubscriberExt;
    let alarms: Arc<Mutex<Vec<Alarm>>> = Arc::default();
    let kept = alarms.clone();
    let layer =
        motet_protocol::WatchLayer::new(watch(&[]), move |alarm| kept.lock().unwrap().push(alarm.clone()));
    tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
        tracing::info!(role = "white", action = "send", r#type = "Move", to = "black");
        tracing::info!(thoughts = 3, "about something else");
        tracing::info!(role = %"black", action = "recv", from = "white");
        assert!(alarms.lock().unwrap().is_empty());
        tracing::info!(role = "white", action = "send", r#type = "Move", to = "black");
        tracing::info!(role = "white", action = "send");
    });
    let alarms = alarms.lock().unwrap();
    assert!(matches!(alarms[..], [Alarm::Deviation(_), Alarm::NoAction(_)]), "{alarms:?}");
}
