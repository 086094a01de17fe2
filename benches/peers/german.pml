/* German's cache coherence protocol without data: the model of german.cub, for Promela.

   Every step is one d_step, and a process is always at the head of its loop: the states are those of
   the variables. Sets of nodes are bit masks. A cache gains a copy in two steps only, so that it is
   enough to assert the property there. `run` defines the number of nodes. */

#ifndef NODES
#define NODES 2
#endif

mtype = { I, S, E, None, ReqS, ReqE, Inv, GntS, GntE };

mtype Cache[NODES] = I;
mtype Chan1[NODES] = None;
mtype Chan2[NODES] = None;
bool Chan3[NODES] = false; /* an answer to Inv */
byte InvSet = 0;
byte ShrSet = 0;
bool ExGntd = false;
mtype CurCmd = None;
byte CurPtr = NODES; /* nobody at first */

hidden byte k;

#define BIT (1 << _pid)

active [NODES] proctype node() {
  do
  :: d_step { Chan1[_pid] == None && Cache[_pid] == I -> Chan1[_pid] = ReqS }

  :: d_step { Chan1[_pid] == None && Cache[_pid] != E -> Chan1[_pid] = ReqE }

  :: d_step {
      CurCmd == None && Chan1[_pid] != None ->
      CurCmd = Chan1[_pid];
      CurPtr = _pid;
      Chan1[_pid] = None;
      InvSet = ShrSet
    }

  :: d_step {
      Chan2[_pid] == None && (InvSet & BIT) != 0 && (CurCmd == ReqE || (CurCmd == ReqS && ExGntd)) ->
      Chan2[_pid] = Inv;
      InvSet = InvSet & ~BIT
    }

  :: d_step {
      Chan2[_pid] == Inv && !Chan3[_pid] ->
      Chan2[_pid] = None;
      Chan3[_pid] = true;
      Cache[_pid] = I
    }

  :: d_step {
      Chan3[_pid] && CurCmd != None ->
      Chan3[_pid] = false;
      ShrSet = ShrSet & ~BIT;
      ExGntd = false
    }

  :: d_step {
      CurCmd == ReqS && CurPtr == _pid && Chan2[_pid] == None && !ExGntd ->
      Chan2[_pid] = GntS;
      ShrSet = ShrSet | BIT;
      CurCmd = None
    }

  :: d_step {
      CurCmd == ReqE && CurPtr == _pid && Chan2[_pid] == None && !ExGntd && ShrSet == 0 ->
      Chan2[_pid] = GntE;
      ShrSet = ShrSet | BIT;
      ExGntd = true;
      CurCmd = None
    }

  :: d_step {
      Chan2[_pid] == GntS ->
      for (k : 0 .. NODES - 1) { assert(k == _pid || Cache[k] != E) }
      Cache[_pid] = S;
      Chan2[_pid] = None
    }

  :: d_step {
      Chan2[_pid] == GntE ->
      for (k : 0 .. NODES - 1) { assert(k == _pid || Cache[k] == I) }
      Cache[_pid] = E;
      Chan2[_pid] = None
    }
  od
}
