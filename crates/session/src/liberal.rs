//! One role of a liberal implementation: a machine of its own, and the ends of its channels.

use crate::{
    Payload,
    endpoint::Values,
    error::Error,
    queue::{Envelope, Inlet, Meetingplace, Offer, Outlet, Room, Taken},
    tables::{Tables, Verb},
};
use std::{
    sync::Arc,
    task::{Poll, Waker},
};

/// What a role shares with another one, as far as the protocol needs it.
pub(crate) struct Neighbour<M> {
    pub(crate) inlet: Option<Inlet<M>>,
    pub(crate) outlet: Option<Arc<dyn Outlet<M>>>,
    /// Where this role offers handshakes, and where it takes them.
    pub(crate) offering: Option<Arc<Meetingplace<M>>>,
    pub(crate) taking: Option<Arc<Meetingplace<M>>>,
}

/// A role.
pub(crate) struct Liberal<M> {
    pub(crate) tables: &'static Tables,
    pub(crate) role: u32,
    pub(crate) state: u32,
    /// By the number of the other role; none for itself.
    neighbours: Vec<Option<Neighbour<M>>>,
    /// For each role the receive from it, and the handshakes that it may offer.
    receives: Vec<(Option<u32>, Vec<u32>)>,
}

impl<M: Payload + Send> Liberal<M> {
    pub(crate) fn new(
        tables: &'static Tables,
        role: u32,
        neighbours: Vec<Option<Neighbour<M>>>,
    ) -> Liberal<M> {
        let mut receives = vec![(None, Vec::new()); tables.roles.len()];
        for (number, action) in (0..).zip(tables.actions.iter()) {
            match action.verb {
                Verb::Receive if action.to[0] == role => receives[action.from as usize].0 = Some(number),
                Verb::Handshake if action.to[0] == role => receives[action.from as usize].1.push(number),
                _ => {}
            }
        }
        Liberal { tables, role, state: 0, neighbours, receives }
    }

    pub(crate) fn may_stop(&self) -> bool {
        self.tables.machines[self.role as usize].may_stop[self.state as usize]
    }

    fn neighbour(&self, role: u32) -> Option<&Neighbour<M>> {
        self.neighbours.get(role as usize).and_then(Option::as_ref)
    }

    fn outlet(&self, role: u32) -> Result<&dyn Outlet<M>, Error> {
        let outlet = self.neighbour(role).and_then(|neighbour| neighbour.outlet.as_deref());
        outlet.ok_or_else(|| Error::NotAllowed(format!("there is no channel to {}", self.name(role))))
    }

    /// Whether an action of this role is allowed in its state.
    pub(crate) fn allows(&self, action: u32) -> bool {
        let state = self.state;
        match self.tables.actions[action as usize].verb {
            Verb::Handshake => {
                self.tables.meetings.iter().any(|it| it.action == action && it.sender == state)
            }
            _ => self.tables.machines[self.role as usize].allows(state, action),
        }
    }

    /// Sends, closes, or offers a handshake. The state moves only when that is done.
    pub(crate) fn poll_send(
        &mut self,
        number: u32,
        values: &mut Values<M>,
        offered: &mut bool,
        waker: Option<&Waker>,
    ) -> Poll<Result<(), Error>> {
        match self.sent(number, values, offered, waker) {
            Ok(true) => Poll::Ready(Ok(())),
            Ok(false) => Poll::Pending,
            Err(error) => Poll::Ready(Err(error)),
        }
    }

    fn sent(
        &mut self,
        number: u32,
        values: &mut Values<M>,
        offered: &mut bool,
        waker: Option<&Waker>,
    ) -> Result<bool, Error> {
        let tables = self.tables;
        let action = &tables.actions[number as usize];
        if action.verb == Verb::Handshake {
            return self.met(number, action.to[0], values, offered, waker);
        }
        let Some((next, stamp)) = tables.machines[self.role as usize].try_send(self.state, number) else {
            return Err(Error::NotAllowed(crate::endpoint::in_words(tables, number)));
        };
        if action.verb == Verb::Close {
            for to in action.to.iter() {
                self.outlet(*to)?.close();
            }
            self.state = next;
            return Ok(true);
        }
        for to in action.to.iter() {
            match self.outlet(*to)?.room(waker) {
                Room::Yes => {}
                Room::No => return Ok(false),
                Room::Gone => return Err(Error::Disconnected),
            }
        }
        for to in action.to.iter() {
            let Some(value) = values.next() else { break };
            self.outlet(*to)?.push(Envelope { stamp, value })?;
        }
        self.state = next;
        Ok(true)
    }

    fn met(
        &mut self,
        number: u32,
        to: u32,
        values: &mut Values<M>,
        offered: &mut bool,
        waker: Option<&Waker>,
    ) -> Result<bool, Error> {
        if !*offered && !self.allows(number) {
            return Err(Error::NotAllowed(crate::endpoint::in_words(self.tables, number)));
        }
        let (sender, is_new) = (self.state, !std::mem::replace(offered, true));
        let value = if is_new { values.next() } else { None };
        let offer = value.map(|value| Offer { action: number, sender, value });
        let place = self.neighbour(to).and_then(|neighbour| neighbour.offering.as_deref());
        let next = place.map(|place| place.offer(offer, waker)).transpose()?.flatten();
        self.state = next.unwrap_or(self.state);
        Ok(next.is_some())
    }

    /// Takes an offer back that nobody waits for any more.
    pub(crate) fn withdraw(&mut self, number: u32) {
        let to = self.tables.actions[number as usize].to[0];
        let place = self.neighbour(to).and_then(|neighbour| neighbour.offering.as_deref());
        let next = place.and_then(Meetingplace::withdraw);
        self.state = next.unwrap_or(self.state);
    }

    /// Receives from a role, or from any. The state moves only when a message is taken.
    pub(crate) fn poll_recv(
        &mut self,
        from: Option<u32>,
        waker: Option<&Waker>,
    ) -> Poll<Result<(u32, M), Error>> {
        let (roles, role) = (u32::try_from(self.neighbours.len()).unwrap_or(0), self.role);
        let (mut possible, mut ended) = (0, 0);
        for from in from.map_or(0..roles, |from| from..from + 1).filter(|from| *from != role) {
            match self.received(from, waker) {
                Ok(Look::Taken(value)) => return Poll::Ready(Ok((from, value))),
                Ok(Look::Waits) => possible += 1,
                Ok(Look::Ended) => (possible, ended) = (possible + 1, ended + 1),
                Ok(Look::NotAllowed) => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        if possible == 0 {
            let who = from.map_or("anybody".to_owned(), |from| self.name(from));
            return Poll::Ready(Err(Error::NotAllowed(format!("receiving from {who}"))));
        }
        if possible == ended { Poll::Ready(Err(Error::Disconnected)) } else { Poll::Pending }
    }

    fn name(&self, role: u32) -> String {
        self.tables.roles.get(role as usize).map_or("nobody".to_owned(), ToString::to_string)
    }

    fn received(&mut self, from: u32, waker: Option<&Waker>) -> Result<Look<M>, Error> {
        let Some((Some(receive), handshakes)) = self.receives.get(from as usize) else {
            return Ok(self.met_by(from, Look::NotAllowed, waker));
        };
        let (receive, meets) = (*receive, !handshakes.is_empty());
        let (machine, state) = (&self.tables.machines[self.role as usize], self.state);
        let neighbour = self.neighbours[from as usize].as_mut();
        let Some(inlet) = neighbour.and_then(|neighbour| neighbour.inlet.as_mut()) else {
            return Ok(Look::NotAllowed);
        };
        let mut next = None;
        let taken = inlet.take(waker, |envelope| {
            next = machine.try_recv(state, receive, envelope.stamp);
            next.is_some()
        });
        let allowed = || machine.allows(state, receive);
        let look = match taken {
            Taken::Message(envelope) => {
                self.state = next.unwrap_or(state);
                return Ok(Look::Taken(envelope.value));
            }
            Taken::Misfit if allowed() => return Err(Error::Unexpected(format!("from {}", self.name(from)))),
            Taken::Empty if allowed() => Look::Waits,
            Taken::Ended if allowed() => Look::Ended,
            Taken::Misfit | Taken::Empty | Taken::Ended => Look::NotAllowed,
        };
        Ok(if meets { self.met_by(from, look, waker) } else { look })
    }

    /// Takes a handshake that a role offers, if there is one; else what a look at its messages has shown counts.
    fn met_by(&mut self, from: u32, look: Look<M>, waker: Option<&Waker>) -> Look<M> {
        let (tables, state) = (self.tables, self.state);
        let Some((_, handshakes)) = self.receives.get(from as usize) else { return look };
        let is_possible =
            |action: &u32| tables.meetings.iter().any(|it| it.action == *action && it.receiver == state);
        if !handshakes.iter().any(is_possible) {
            return look;
        }
        let Some(place) = self.neighbour(from).and_then(|neighbour| neighbour.taking.as_deref()) else {
            return look;
        };
        let taken = place.take(waker, |offer| {
            let meeting = tables.meeting(offer.action, offer.sender, state)?;
            Some((meeting.sender_next, meeting.receiver_next))
        });
        if let Some((value, next)) = taken {
            self.state = next;
            return Look::Taken(value);
        }
        match look {
            Look::NotAllowed | Look::Ended if place.is_left() => Look::Ended,
            _ => Look::Waits,
        }
    }
}

/// What a look at what comes from a role shows.
enum Look<M> {
    Taken(M),
    Waits,
    Ended,
    NotAllowed,
}

impl<M> Drop for Liberal<M> {
    fn drop(&mut self) {
        for neighbour in self.neighbours.iter().flatten() {
            if let Some(outlet) = &neighbour.outlet {
                outlet.close();
            }
            [&neighbour.offering, &neighbour.taking].into_iter().flatten().for_each(|place| place.leave());
        }
    }
}
