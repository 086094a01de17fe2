//! A game of Nim on generated channels: two players take one to three stones in turn, and who takes the last one wins. The protocol is
//! `examples/sessions/turn-game.dcj`; the rules are here, the turns are there.

extern crate session as motet_session;

#[rustfmt::skip]
#[path = "../tests/generated/turn_game_liberal.rs"]
mod turn_game;

use motet_session::{Endpoint, Error};
use std::thread;
use turn_game::{Message, role};

const STONES: u32 = 21;

/// What one player knows.
struct Player {
    name: &'static str,
    end: Endpoint<Message>,
    other: u32,
    stones: u32,
}

impl Player {
    /// Leaves a multiple of four, if that is possible.
    fn choice(&self) -> u32 {
        (self.stones % 4).max(1)
    }

    /// Moves, or resigns where there is nothing left to take. Whether the game goes on.
    fn act(&mut self) -> Result<bool, Error> {
        if self.stones == 0 {
            self.end.send(self.other, Message::Resign)?;
            return Ok(false);
        }
        let taken = self.choice();
        self.stones -= taken;
        println!("{} takes {taken}, {} left", self.name, self.stones);
        self.end.send(self.other, Message::Move(taken))?;
        Ok(true)
    }

    /// Hears what the other one does. Whether the game goes on.
    fn hear(&mut self) -> Result<bool, Error> {
        match self.end.recv(self.other)? {
            Message::Move(taken) => self.stones -= taken,
            Message::Resign => {
                println!("{} wins", self.name);
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn main() -> Result<(), Error> {
    let turn_game::Session { white, black } = turn_game::open();
    let mut white = Player { name: "white", end: white.0, other: role::BLACK, stones: STONES };
    let mut black = Player { name: "black", end: black.0, other: role::WHITE, stones: STONES };
    let second = thread::spawn(move || -> Result<(), Error> {
        while black.hear()? && black.act()? {}
        Ok(())
    });
    while white.act()? && white.hear()? {}
    second.join().expect("black does not panic")
}
