"""What generated implementations of protocols run on: tables, a pure core, endpoints that block.

A Core is a whole session without the values of messages; try_send and try_recv are all that a checker needs. An Endpoint is what one role of a
program holds; it moves by the same functions of Tables, and adds values and waiting.
"""

import collections
import sys
import threading


class NotAllowed(Exception):
    """The protocol does not allow this now."""


class Disconnected(Exception):
    """The other side has gone."""


class Tables:
    """An implementation. A machine has, for each state, the next state for each action and stamp, and whether it may stop."""

    def __init__(self, liberal, roles, types, actions, machines, meetings, channels, capacity):
        self.liberal, self.roles, self.types, self.actions = liberal, roles, types, actions
        self.machines, self.meetings, self.channels, self.capacity = machines, meetings, channels, capacity
        self.numbers = {ends: number for number, ends in enumerate(channels)}
        self.sends = [[{action: (stamp, to) for (action, stamp), to in row.items()} for row in rows] for rows, _ in machines]

    def machine(self, role):
        return role if self.liberal else 0

    def try_send(self, machine, state, action):
        """The next state of a machine after a send, a close or a handshake, and the stamp; None if it is not enabled."""
        found = self.sends[machine][state].get(action)
        return None if found is None else (found[1], found[0])

    def try_recv(self, machine, state, action, stamp):
        """The next state of a machine after a receive; None if it is not enabled."""
        return self.machines[machine][0][state].get((action, stamp))

    def allows(self, machine, state, action):
        return action in self.sends[machine][state]

    def may_stop(self, machine, state):
        return self.machines[machine][1][state]


class Core:
    """A whole session without values."""

    def __init__(self, tables):
        self.tables = tables
        self.control = [0] * len(tables.machines)
        self.queues = [[] for _ in tables.channels]
        self.closed = [False] * len(tables.channels)

    def try_send(self, action):
        """A send, a close or a handshake; False, and nothing has changed, if it is not enabled."""
        tables = self.tables
        verb, sender, receivers, kind = tables.actions[action]
        if verb == "handshake" and tables.liberal:
            met = tables.meetings.get((action, self.control[sender], self.control[receivers[0]]))
            if met is None:
                return False
            self.control[sender], self.control[receivers[0]] = met
            return True
        machine = tables.machine(sender)
        found = tables.try_send(machine, self.control[machine], action)
        channels = [] if verb == "handshake" else [tables.numbers[sender, receiver] for receiver in receivers]
        if found is None or verb == "send" and not all(self.has_room(channel) for channel in channels):
            return False
        self.control[machine] = found[0]
        for channel in channels:
            if verb == "close":
                self.closed[channel] = True
            else:
                self.queues[channel].append((kind, found[1]))
        return True

    def has_room(self, channel):
        capacity = self.tables.capacity
        return not self.closed[channel] and (capacity is None or len(self.queues[channel]) < capacity)

    def try_recv(self, action):
        """A receive: the type and the stamp of the message that was taken; None, and nothing has changed, if it is not enabled."""
        tables = self.tables
        _, sender, receivers, _ = tables.actions[action]
        queue, machine = self.queues[tables.numbers[sender, receivers[0]]], tables.machine(receivers[0])
        if not queue:
            return None
        after = tables.try_recv(machine, self.control[machine], action, queue[0][1])
        if after is None:
            return None
        self.control[machine] = after
        return queue.pop(0)

    def may_end(self):
        stops = all(self.tables.may_stop(machine, state) for machine, state in enumerate(self.control))
        return stops and not any(self.queues)

    def write(self):
        def messages(queue):
            return ",".join(f"{'*' if kind is None else kind}.{stamp}" for kind, stamp in queue)

        channels = ["!" * closed + messages(queue) for queue, closed in zip(self.queues, self.closed)]
        return "|".join([",".join(map(str, self.control)), *channels])

    @staticmethod
    def read(tables, text):
        def message(word):
            kind, stamp = word.split(".")
            return (None if kind == "*" else int(kind), int(stamp))

        core = Core(tables)
        control, *channels = text.split("|")
        core.control = [int(number) for number in control.split(",")]
        core.closed = [channel.startswith("!") for channel in channels]
        core.queues = [[message(word) for word in channel.lstrip("!").split(",") if word] for channel in channels]
        return core


class Endpoint:
    """What one role holds. In a liberal session each role has a state of its own; in a strict one all share the core."""

    def __init__(self, tables, role, session):
        self.tables, self.role, self.session, self.state = tables, role, session, 0
        self.own = [number for number, (verb, sender, _, _) in enumerate(tables.actions) if verb != "receive" and sender == role]

    def sending(self, receivers, kind):
        found = [number for number in self.own if self.tables.actions[number][2:] == (receivers, kind)]
        found = [number for number in found if self.tables.actions[number][0] != "close"]
        if not found:
            raise NotAllowed(f"{self.tables.roles[self.role]} never sends this")
        return found[0]

    def send(self, to, kind, value=None):
        """Sends a value of a type to a role, or to a list of roles at once."""
        receivers = sorted(to) if isinstance(to, (list, tuple, set)) else [to]
        self.session.send(self, self.sending(receivers, kind), value)

    def close(self, to):
        for number in self.own:
            if self.tables.actions[number][0] == "close" and self.tables.actions[number][2] == [to]:
                return self.session.send(self, number, None)
        raise NotAllowed("closing this channel")

    def recv(self, sender):
        """Waits for a message from a role: its type and its value."""
        return self.session.recv(self, sender)

    def leave(self):
        """Says that this role is done; who waits for it hears of it."""
        self.session.leave(self)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.leave()


def receive_of(tables, sender, receiver):
    for number, (verb, source, receivers, _) in enumerate(tables.actions):
        if verb == "receive" and source == sender and receivers == [receiver]:
            return number
    return None


class Strict:
    """One state that all roles share."""

    def __init__(self, tables):
        self.tables, self.core, self.changed = tables, Core(tables), threading.Condition()
        self.values = [collections.deque() for _ in tables.channels]
        self.offers, self.present = {}, len(tables.roles)

    def wait(self):
        if self.present < 2:
            raise Disconnected()
        self.changed.wait()

    def send(self, endpoint, action, value):
        verb, sender, receivers, _ = self.tables.actions[action]
        with self.changed:
            if verb == "handshake":
                offer = [action, value, False]
                self.offers[sender] = offer
                self.changed.notify_all()
                while not offer[2]:
                    self.wait()
                return
            while not self.core.try_send(action):
                self.wait()
            if verb == "send":
                for receiver in receivers:
                    self.values[self.tables.numbers[sender, receiver]].append(value)
            self.changed.notify_all()

    def recv(self, endpoint, sender):
        receive = receive_of(self.tables, sender, endpoint.role)
        with self.changed:
            while True:
                taken = None if receive is None else self.core.try_recv(receive)
                if taken is not None:
                    self.changed.notify_all()
                    return taken[0], self.values[self.tables.numbers[sender, endpoint.role]].popleft()
                offer = self.offers.get(sender)
                if offer and self.tables.actions[offer[0]][2] == [endpoint.role] and self.core.try_send(offer[0]):
                    offer[2] = True
                    del self.offers[sender]
                    self.changed.notify_all()
                    return self.tables.actions[offer[0]][3], offer[1]
                self.wait()

    def leave(self, endpoint):
        with self.changed:
            self.present -= 1
            self.changed.notify_all()


class Channel:
    def __init__(self):
        self.changed, self.messages, self.closed, self.gone, self.offer = threading.Condition(), collections.deque(), False, False, None


class Liberal:
    """A machine for each role, and nothing shared but channels."""

    def __init__(self, tables):
        self.tables = tables
        pairs = {(action[1], receiver) for action in tables.actions for receiver in action[2]}
        self.channels = {pair: Channel() for pair in pairs}

    def send(self, endpoint, action, value):
        tables = self.tables
        verb, sender, receivers, kind = tables.actions[action]
        if verb == "handshake":
            return self.meet(endpoint, action, value)
        found = tables.try_send(sender, endpoint.state, action)
        if found is None:
            raise NotAllowed(f"{tables.roles[sender]} {verb}s this")
        for receiver in receivers:
            channel = self.channels[sender, receiver]
            with channel.changed:
                while verb == "send" and tables.capacity is not None and len(channel.messages) >= tables.capacity:
                    channel.changed.wait()
        for receiver in receivers:
            channel = self.channels[sender, receiver]
            with channel.changed:
                if verb == "close":
                    channel.closed = True
                else:
                    channel.messages.append((kind, found[1], value))
                channel.changed.notify_all()
        endpoint.state = found[0]

    def meet(self, endpoint, action, value):
        tables, receiver = self.tables, self.tables.actions[action][2][0]
        if not any(key[0] == action and key[1] == endpoint.state for key in tables.meetings):
            raise NotAllowed(f"{tables.roles[endpoint.role]} meets {tables.roles[receiver]}")
        channel = self.channels[endpoint.role, receiver]
        with channel.changed:
            offer = [action, endpoint.state, value, None]
            channel.offer = offer
            channel.changed.notify_all()
            while offer[3] is None:
                if channel.gone:
                    raise Disconnected()
                channel.changed.wait()
            endpoint.state = offer[3]

    def recv(self, endpoint, sender):
        tables, role = self.tables, endpoint.role
        receive = receive_of(tables, sender, role)
        if receive is not None and not tables.allows(role, endpoint.state, receive):
            receive = None
        meets = any(key[2] == endpoint.state and tables.actions[key[0]][1:3] == (sender, [role]) for key in tables.meetings)
        if receive is None and not meets:
            raise NotAllowed(f"{tables.roles[role]} receives from {tables.roles[sender]}")
        channel = self.channels[sender, role]
        with channel.changed:
            while True:
                if receive is not None and channel.messages:
                    kind, stamp, value = channel.messages[0]
                    after = tables.try_recv(role, endpoint.state, receive, stamp)
                    if after is None:
                        raise NotAllowed("this message was not to come now")
                    channel.messages.popleft()
                    endpoint.state = after
                    channel.changed.notify_all()
                    return kind, value
                offer = channel.offer
                met = offer and tables.meetings.get((offer[0], offer[1], endpoint.state))
                if met:
                    channel.offer, offer[3], endpoint.state = None, met[0], met[1]
                    channel.changed.notify_all()
                    return tables.actions[offer[0]][3], offer[2]
                if channel.closed:
                    raise Disconnected()
                channel.changed.wait()

    def leave(self, endpoint):
        for (sender, receiver), channel in self.channels.items():
            if endpoint.role in (sender, receiver):
                with channel.changed:
                    channel.closed |= endpoint.role == sender
                    channel.gone = True
                    channel.changed.notify_all()


def open_session(tables):
    """An endpoint for each role, in order."""
    session = Liberal(tables) if tables.liberal else Strict(tables)
    return [Endpoint(tables, role, session) for role in range(len(tables.roles))]


def answer(tables, line):
    """The answer to a question of a checker."""
    command, *words = line.split()
    if command == "start":
        return Core(tables).write()
    core = Core.read(tables, words[-1])
    if command == "end":
        return "yes" if core.may_end() else "no"
    if command == "send":
        return core.write() if core.try_send(int(words[0])) else "-"
    if command == "recv":
        taken = core.try_recv(int(words[0]))
        return "-" if taken is None else f"{'*' if taken[0] is None else taken[0]} {core.write()}"
    return "? " + line


def drive(tables):
    """Answers questions from standard input until it ends."""
    for line in sys.stdin:
        print(answer(tables, line), flush=True)


def check(module_file, protocol, *arguments, motet="motet"):
    """Checks a generated module with the command motet, for a test: assert motet_session.check(chess.__file__, "chess.dcj") == 0."""
    import subprocess

    line = [motet, "protocol", "check", protocol, "--drive", f"{sys.executable} {module_file}", *arguments]
    return subprocess.run(line, check=False).returncode
