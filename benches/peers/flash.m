-- A directory protocol in the manner of FLASH, without data: the model of flash.cub, for Murphi.
--
-- `run` replaces the number of nodes, and makes nodes interchangeable by turning the type of nodes
-- into a scalarset.

const
  NODES : 2;

type
  Node : 1 .. NODES; -- scalarset
  CacheState : enum { I, S, E };
  WaitState : enum { NoWait, WaitS, WaitE };
  Message : enum { NoMsg, GetS, GetE, FwdS, FwdE, PutS, PutE, Nak };
  Invalidation : enum { NoInv, Inv, InvAck };
  NoteKind : enum { NoNote, Downgraded, Moved, Refused };

var
  Cache : array [Node] of CacheState;
  Wait : array [Node] of WaitState;
  Marked : array [Node] of boolean;
  Msg : array [Node] of Message;
  InvMsg : array [Node] of Invalidation;
  Note : NoteKind;
  WriteBack : boolean;
  Pending : boolean;
  Dirty : boolean;
  Shr : array [Node] of boolean;
  Head : Node; -- undefined at first
  Asker : Node; -- undefined at first

startstate
begin
  for i : Node do
    Cache[i] := I;
    Wait[i] := NoWait;
    Marked[i] := false;
    Msg[i] := NoMsg;
    InvMsg[i] := NoInv;
    Shr[i] := false;
  end;
  Note := NoNote;
  WriteBack := false;
  Pending := false;
  Dirty := false;
  undefine Head;
  undefine Asker;
end;

invariant "one exclusive copy"
  forall i : Node do
    forall j : Node do
      i != j -> !(Cache[i] = E & Cache[j] = E)
    end
  end;

ruleset i : Node do

  rule "ask_s"
    Cache[i] = I & Wait[i] = NoWait
  ==>
    Wait[i] := WaitS;
    Msg[i] := GetS;
  end;

  rule "ask_e"
    Cache[i] = I & Wait[i] = NoWait
  ==>
    Wait[i] := WaitE;
    Msg[i] := GetE;
  end;

  rule "drop_s"
    Cache[i] = S & Wait[i] = NoWait
  ==>
    Cache[i] := I;
  end;

  rule "drop_e"
    Cache[i] = E & Wait[i] = NoWait & !WriteBack
  ==>
    Cache[i] := I;
    WriteBack := true;
  end;

  rule "refuse"
    (Msg[i] = GetS | Msg[i] = GetE) & (Pending | Dirty & Head = i)
  ==>
    Msg[i] := Nak;
  end;

  rule "grant_s"
    Msg[i] = GetS & !Pending & !Dirty
  ==>
    Msg[i] := PutS;
    Shr[i] := true;
  end;

  rule "grant_e"
    Msg[i] = GetE & !Pending & !Dirty
  ==>
    Msg[i] := PutE;
    Dirty := true;
    Head := i;
    for k : Node do
      if k != i & Shr[k] then
        InvMsg[k] := Inv;
        Pending := true;
      end;
      Shr[k] := false;
    end;
  end;

  rule "forward_s"
    Msg[i] = GetS & !Pending & Dirty & Head != i
  ==>
    Msg[i] := FwdS;
    Pending := true;
    Asker := i;
  end;

  rule "forward_e"
    Msg[i] = GetE & !Pending & Dirty & Head != i
  ==>
    Msg[i] := FwdE;
    Pending := true;
    Asker := i;
  end;

  rule "share"
    Msg[i] = FwdS & Cache[Head] = E
  ==>
    Msg[i] := PutS;
    Cache[Head] := S;
    Note := Downgraded;
  end;

  rule "hand_over"
    Msg[i] = FwdE & Cache[Head] = E
  ==>
    Msg[i] := PutE;
    Cache[Head] := I;
    Note := Moved;
  end;

  rule "own_no_more"
    (Msg[i] = FwdS | Msg[i] = FwdE) & Cache[Head] != E
  ==>
    Msg[i] := Nak;
    Note := Refused;
  end;

  rule "hear_s"
    Msg[i] = PutS
  ==>
    Msg[i] := NoMsg;
    Wait[i] := NoWait;
    if Marked[i] then
      Cache[i] := I;
    else
      Cache[i] := S;
    end;
    Marked[i] := false;
  end;

  rule "hear_e"
    Msg[i] = PutE
  ==>
    Msg[i] := NoMsg;
    Wait[i] := NoWait;
    Marked[i] := false;
    Cache[i] := E;
  end;

  rule "hear_nak"
    Msg[i] = Nak
  ==>
    Msg[i] := NoMsg;
    Wait[i] := NoWait;
    Marked[i] := false;
  end;

  rule "invalidate"
    InvMsg[i] = Inv
  ==>
    InvMsg[i] := InvAck;
    Cache[i] := I;
    if Wait[i] = WaitS then
      Marked[i] := true;
    end;
  end;

  rule "hear_inv_ack"
    InvMsg[i] = InvAck
  ==>
    InvMsg[i] := NoInv;
    Pending := exists k : Node do InvMsg[k] != NoInv end;
  end;

end;

rule "hear_downgraded"
  Note = Downgraded
==>
  Note := NoNote;
  Pending := false;
  Dirty := false;
  Shr[Head] := true;
  Shr[Asker] := true;
end;

rule "hear_moved"
  Note = Moved
==>
  Note := NoNote;
  Pending := false;
  Head := Asker;
end;

rule "hear_refused"
  Note = Refused
==>
  Note := NoNote;
  Pending := false;
end;

rule "hear_write_back"
  WriteBack
==>
  WriteBack := false;
  Dirty := false;
end;
