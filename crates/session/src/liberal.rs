//! One role of a liberal implementation: a machine of its own, and the ends of its channels.

use crate::{
    Payload,
    endpoint::Values,
    error::Error,
    queue::{Envelope, Meetingplace, Offer, Outlet, Queue, Room, Taken},
    tables::{Tables, Verb},
};
use std::{
    sync::Arc,
    task::{Poll, Waker},
};

/// What a role shares with another one.
pub(crate) struct Neighbour<M> {
    pub(crate) inlet: Arc<Queue<M>>,
    pub(crate) outlet: Arc<dyn Outlet<M>>,
    /// Where this role offers handshakes, and where it takes them.
    pub(crate) offering: Arc<Meetingplace<M>>,
    pub(crate) taking: Arc<Meetingplace<M>>,
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

    fn neighbour(&self, role: u32) -> Result<&Neighbour<M>, Error> {
        let known = self.neighbours.get(role as usize).and_then(Option::as_ref);
        known.ok_or_else(|| Error::NotAllowed(format!("there is no channel to role {role}")))
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
                self.neighbour(*to)?.outlet.close();
            }
            self.state = next;
            return Ok(true);
        }
        for to in action.to.iter() {
            match self.neighbour(*to)?.outlet.room(waker) {
                Room::Yes => {}
                Room::No => return Ok(false),
                Room::Gone => return Err(Error::Disconnected),
            }
        }
        for to in action.to.iter() {
            let Some(value) = values.next() else { break };
            self.neighbour(*to)?.outlet.push(Envelope { stamp, value })?;
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
        let next = self.neighbour(to)?.offering.offer(offer, waker)?;
        self.state = next.unwrap_or(self.state);
        Ok(next.is_some())
    }

    /// Takes an offer back that nobody waits for any more.
    pub(crate) fn withdraw(&mut self, number: u32) {
        let to = self.tables.actions[number as usize].to[0];
        let next = self.neighbour(to).ok().and_then(|neighbour| neighbour.offering.withdraw());
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
        let Some((receive, handshakes)) = self.receives.get(from as usize) else {
            return Ok(Look::NotAllowed);
        };
        let (machine, state) = (&self.tables.machines[self.role as usize], self.state);
        let receive = receive.filter(|receive| machine.allows(state, *receive));
        let mut look = Look::NotAllowed;
        if let Some(receive) = receive {
            let mut next = None;
            let taken = self.neighbour(from)?.inlet.take(waker, |envelope| {
                next = machine.try_recv(state, receive, envelope.stamp);
                next.is_some()
            });
            match taken {
                Taken::Message(envelope) => {
                    self.state = next.unwrap_or(state);
                    return Ok(Look::Taken(envelope.value));
                }
                Taken::Misfit => return Err(Error::Unexpected(format!("from {}", self.name(from)))),
                Taken::Empty => look = Look::Waits,
                Taken::Ended => look = Look::Ended,
            }
        }
        let tables = self.tables;
        let may_meet = handshakes
            .iter()
            .any(|action| tables.meetings.iter().any(|it| it.action == *action && it.receiver == state));
        if may_meet {
            let place = &self.neighbour(from)?.taking;
            let taken = place.take(waker, |offer| {
                let meeting = tables.meeting(offer.action, offer.sender, state)?;
                Some((meeting.sender_next, meeting.receiver_next))
            });
            if let Some((value, next)) = taken {
                self.state = next;
                return Ok(Look::Taken(value));
            }
            if !matches!(look, Look::Waits) {
                look = if place.is_left() { Look::Ended } else { Look::Waits };
            }
        }
        Ok(look)
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
            neighbour.outlet.close();
            neighbour.inlet.abandon();
            neighbour.offering.leave();
            neighbour.taking.leave();
        }
    }
}
