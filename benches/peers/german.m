-- German's cache coherence protocol without data: the model of german.cub, for Murphi.
--
-- `run` replaces the number of nodes, and makes nodes interchangeable by turning the type of nodes
-- into a scalarset.

const
  NODES : 2;

type
  Node : 1 .. NODES; -- scalarset
  CacheState : enum { I, S, E };
  Request : enum { NoRequest, ReqS, ReqE };
  Order : enum { NoOrder, Inv, GntS, GntE };
  Answer : enum { NoAnswer, InvAck };

var
  Cache : array [Node] of CacheState;
  Chan1 : array [Node] of Request;
  Chan2 : array [Node] of Order;
  Chan3 : array [Node] of Answer;
  InvSet : array [Node] of boolean;
  ShrSet : array [Node] of boolean;
  ExGntd : boolean;
  CurCmd : Request;
  CurPtr : Node; -- undefined at first

startstate
begin
  for i : Node do
    Cache[i] := I;
    Chan1[i] := NoRequest;
    Chan2[i] := NoOrder;
    Chan3[i] := NoAnswer;
    InvSet[i] := false;
    ShrSet[i] := false;
  end;
  ExGntd := false;
  CurCmd := NoRequest;
  undefine CurPtr;
end;

invariant "one exclusive copy or many shared ones"
  forall i : Node do
    Cache[i] = E -> forall j : Node do i != j -> Cache[j] = I end
  end;

ruleset i : Node do

  rule "send_req_s"
    Chan1[i] = NoRequest & Cache[i] = I
  ==>
    Chan1[i] := ReqS;
  end;

  rule "send_req_e"
    Chan1[i] = NoRequest & Cache[i] != E
  ==>
    Chan1[i] := ReqE;
  end;

  rule "recv_req"
    CurCmd = NoRequest & Chan1[i] != NoRequest
  ==>
    CurCmd := Chan1[i];
    CurPtr := i;
    Chan1[i] := NoRequest;
    for k : Node do
      InvSet[k] := ShrSet[k];
    end;
  end;

  rule "send_inv"
    Chan2[i] = NoOrder & InvSet[i] & (CurCmd = ReqE | CurCmd = ReqS & ExGntd)
  ==>
    Chan2[i] := Inv;
    InvSet[i] := false;
  end;

  rule "send_inv_ack"
    Chan2[i] = Inv & Chan3[i] = NoAnswer
  ==>
    Chan2[i] := NoOrder;
    Chan3[i] := InvAck;
    Cache[i] := I;
  end;

  rule "recv_inv_ack"
    Chan3[i] = InvAck & CurCmd != NoRequest
  ==>
    Chan3[i] := NoAnswer;
    ShrSet[i] := false;
    ExGntd := false;
  end;

  rule "send_gnt_s"
    CurCmd = ReqS & CurPtr = i & Chan2[i] = NoOrder & !ExGntd
  ==>
    Chan2[i] := GntS;
    ShrSet[i] := true;
    CurCmd := NoRequest;
  end;

  rule "send_gnt_e"
    CurCmd = ReqE & CurPtr = i & Chan2[i] = NoOrder & !ExGntd & forall k : Node do !ShrSet[k] end
  ==>
    Chan2[i] := GntE;
    ShrSet[i] := true;
    ExGntd := true;
    CurCmd := NoRequest;
  end;

  rule "recv_gnt_s"
    Chan2[i] = GntS
  ==>
    Cache[i] := S;
    Chan2[i] := NoOrder;
  end;

  rule "recv_gnt_e"
    Chan2[i] = GntE
  ==>
    Cache[i] := E;
    Chan2[i] := NoOrder;
  end;

end;
