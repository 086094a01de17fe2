/* A directory protocol in the manner of FLASH, without data: the model of flash.cub, for Promela.

   Every step is one d_step, and a process is always at the head of its loop: the states are those of
   the variables. Sets of nodes are bit masks; an invalidation is in one of two of them. A cache
   becomes exclusive in one step only, so that it is enough to assert the property there. `run`
   defines the number of nodes. */

#ifndef NODES
#define NODES 2
#endif

mtype = {
  I, S, E, None, WaitS, WaitE, GetS, GetE, FwdS, FwdE, PutS, PutE, Nak, Downgraded, Moved, Refused
};

mtype Cache[NODES] = I;
mtype Wait[NODES] = None;
mtype Msg[NODES] = None;
byte Marked = 0;
byte Inv = 0; /* told to give the line up */
byte InvAck = 0; /* has answered */
mtype Note = None;
bool WriteBack = false;
bool Pending = false;
bool Dirty = false;
byte Shr = 0;
byte Head = NODES; /* nobody at first */
byte Asker = NODES; /* nobody at first */

hidden byte k;

#define BIT (1 << _pid)

active [NODES] proctype node() {
  do
  :: d_step { Cache[_pid] == I && Wait[_pid] == None -> Wait[_pid] = WaitS; Msg[_pid] = GetS }

  :: d_step { Cache[_pid] == I && Wait[_pid] == None -> Wait[_pid] = WaitE; Msg[_pid] = GetE }

  :: d_step { Cache[_pid] == S && Wait[_pid] == None -> Cache[_pid] = I }

  :: d_step {
      Cache[_pid] == E && Wait[_pid] == None && !WriteBack ->
      Cache[_pid] = I;
      WriteBack = true
    }

  :: d_step {
      (Msg[_pid] == GetS || Msg[_pid] == GetE) && (Pending || (Dirty && Head == _pid)) ->
      Msg[_pid] = Nak
    }

  :: d_step {
      Msg[_pid] == GetS && !Pending && !Dirty ->
      Msg[_pid] = PutS;
      Shr = Shr | BIT
    }

  :: d_step {
      Msg[_pid] == GetE && !Pending && !Dirty ->
      Msg[_pid] = PutE;
      Inv = Shr & ~BIT;
      Pending = (Inv != 0);
      Dirty = true;
      Head = _pid;
      Shr = 0
    }

  :: d_step {
      Msg[_pid] == GetS && !Pending && Dirty && Head != _pid ->
      Msg[_pid] = FwdS;
      Pending = true;
      Asker = _pid
    }

  :: d_step {
      Msg[_pid] == GetE && !Pending && Dirty && Head != _pid ->
      Msg[_pid] = FwdE;
      Pending = true;
      Asker = _pid
    }

  :: d_step {
      Msg[_pid] == FwdS && Cache[Head] == E ->
      Msg[_pid] = PutS;
      Cache[Head] = S;
      Note = Downgraded
    }

  :: d_step {
      Msg[_pid] == FwdE && Cache[Head] == E ->
      Msg[_pid] = PutE;
      Cache[Head] = I;
      Note = Moved
    }

  :: d_step {
      (Msg[_pid] == FwdS || Msg[_pid] == FwdE) && Cache[Head] != E ->
      Msg[_pid] = Nak;
      Note = Refused
    }

  :: d_step {
      Msg[_pid] == PutS ->
      Cache[_pid] = ((Marked & BIT) != 0 -> I : S);
      Msg[_pid] = None;
      Wait[_pid] = None;
      Marked = Marked & ~BIT
    }

  :: d_step {
      Msg[_pid] == PutE ->
      for (k : 0 .. NODES - 1) { assert(k == _pid || Cache[k] != E) }
      Msg[_pid] = None;
      Wait[_pid] = None;
      Marked = Marked & ~BIT;
      Cache[_pid] = E
    }

  :: d_step {
      Msg[_pid] == Nak ->
      Msg[_pid] = None;
      Wait[_pid] = None;
      Marked = Marked & ~BIT
    }

  :: d_step {
      (Inv & BIT) != 0 ->
      Inv = Inv & ~BIT;
      InvAck = InvAck | BIT;
      Cache[_pid] = I;
      Marked = (Wait[_pid] == WaitS -> Marked | BIT : Marked)
    }

  :: d_step {
      (InvAck & BIT) != 0 ->
      InvAck = InvAck & ~BIT;
      Pending = ((Inv | InvAck) != 0)
    }
  od
}

active proctype home() {
  do
  :: d_step {
      Note == Downgraded ->
      Note = None;
      Pending = false;
      Dirty = false;
      Shr = Shr | (1 << Head) | (1 << Asker)
    }

  :: d_step { Note == Moved -> Note = None; Pending = false; Head = Asker }

  :: d_step { Note == Refused -> Note = None; Pending = false }

  :: d_step { WriteBack -> WriteBack = false; Dirty = false }
  od
}
