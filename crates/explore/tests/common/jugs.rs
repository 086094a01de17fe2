//! A system whose state is copied: two jugs of 3 and 5 litres.

use explore::{Entry, Fault, Label, Steered, System, Valuation, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Pour {
    Fill(usize),
    Empty(usize),
    /// From this jug into the other.
    Over(usize),
}

#[derive(Clone, Debug)]
pub(crate) struct Jugs {
    pub(crate) litres: [u8; 2],
    pub(crate) capacity: [u8; 2],
}

impl Jugs {
    pub(crate) fn new() -> Self {
        Jugs { litres: [0, 0], capacity: [3, 5] }
    }
}

impl Steered for Jugs {
    type Action = Pour;
    type Identity = [u8; 2];

    fn initials(&mut self) -> Result<usize, Fault> {
        Ok(1)
    }

    fn start(&mut self, _initial: usize) -> Result<(), Fault> {
        self.litres = [0, 0];
        Ok(())
    }

    fn enabled(&self, actions: &mut Vec<Pour>) {
        for jug in 0..2 {
            if self.litres[jug] < self.capacity[jug] {
                actions.push(Pour::Fill(jug));
            }
            if self.litres[jug] > 0 {
                actions.push(Pour::Empty(jug));
                if self.litres[1 - jug] < self.capacity[1 - jug] {
                    actions.push(Pour::Over(jug));
                }
            }
        }
    }

    fn take(&mut self, action: &Pour) -> Result<(), Fault> {
        match *action {
            Pour::Fill(jug) => self.litres[jug] = self.capacity[jug],
            Pour::Empty(jug) => self.litres[jug] = 0,
            Pour::Over(jug) => {
                let room = self.capacity[1 - jug] - self.litres[1 - jug];
                let poured = room.min(self.litres[jug]);
                self.litres[jug] -= poured;
                self.litres[1 - jug] += poured;
            }
        }
        Ok(())
    }

    fn identity(&self) -> [u8; 2] {
        self.litres
    }

    fn ended(&self) -> bool {
        false
    }

    fn label(&self, action: &Pour) -> Label {
        format!("{action:?}").into()
    }

    fn describe(&self) -> Valuation {
        let litres = |jug: usize| Value::Integer(self.litres[jug].into());
        vec![Entry::variable("small", litres(0)), Entry::variable("large", litres(1))]
    }
}

impl System for Jugs {
    type Checkpoint = [u8; 2];

    fn checkpoint(&mut self) -> [u8; 2] {
        self.litres
    }

    fn restore(&mut self, litres: &[u8; 2]) -> Result<(), Fault> {
        self.litres = *litres;
        Ok(())
    }
}
