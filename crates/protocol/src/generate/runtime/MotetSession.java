// What generated implementations of protocols run on: tables, a pure core, endpoints that block.
// A Core is a whole session without the values of messages; trySend and tryRecv are all that a checker needs. An Endpoint is what one role of a
// program holds; it moves by the same functions of Tables, and adds values and waiting.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

public final class MotetSession {
    public static final int SEND = 0, RECEIVE = 1, HANDSHAKE = 2, CLOSE = 3, NONE = -1;

    /** The protocol does not allow this now. */
    public static final class NotAllowed extends RuntimeException {
        public NotAllowed(String what) { super("the protocol does not allow this now: " + what); }
    }

    /** The other side has gone. */
    public static final class Disconnected extends RuntimeException { }

    /** A message: the number of its type, and its value. */
    public record Message(int kind, Object value) { }

    public record Action(int verb, int from, int[] to, int message) { }

    /** Numbers that are too many for one constant. */
    public static int[] ints(String... parts) {
        List<Integer> found = new ArrayList<>();
        for (String part : parts) for (String word : part.split(",")) if (!word.isEmpty()) found.add(Integer.parseInt(word));
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    /** An implementation. Entries are action, stamp and next state, sorted in each row. */
    public static final class Tables {
        public final boolean liberal;
        public final String[] roles, types;
        public final Action[] actions;
        final int[][] rows, entries, mayStop;
        final int[] meetings, channels;
        final int capacity;

        public Tables(boolean liberal, String[] roles, String[] types, int[] actions, int[][] rows, int[][] entries, int[][] mayStop,
                int[] meetings, int[] channels, int capacity) {
            this.liberal = liberal; this.roles = roles; this.types = types; this.rows = rows; this.entries = entries;
            this.mayStop = mayStop; this.meetings = meetings; this.channels = channels; this.capacity = capacity;
            List<Action> list = new ArrayList<>();
            for (int at = 0; at < actions.length; at += 4 + actions[at + 3])
                list.add(new Action(actions[at], actions[at + 1], Arrays.copyOfRange(actions, at + 4, at + 4 + actions[at + 3]), actions[at + 2]));
            this.actions = list.toArray(new Action[0]);
        }

        int machine(int role) { return liberal ? role : 0; }

        int channel(int from, int to) {
            for (int at = 0; at < channels.length; at += 2) if (channels[at] == from && channels[at + 1] == to) return at / 2;
            return NONE;
        }

        /** The place of the entry of an action in a state, with any stamp; NONE if there is none. */
        int find(int machine, int state, int action) {
            for (int at = rows[machine][state]; at < rows[machine][state + 1]; at++) if (entries[machine][3 * at] == action) return at;
            return NONE;
        }

        /** The place of the entry of a receive of a message with a stamp; NONE if it is not enabled. */
        int find(int machine, int state, int action, int stamp) {
            for (int at = rows[machine][state]; at < rows[machine][state + 1]; at++)
                if (entries[machine][3 * at] == action && entries[machine][3 * at + 1] == stamp) return at;
            return NONE;
        }

        int stamp(int machine, int entry) { return entries[machine][3 * entry + 1]; }

        int next(int machine, int entry) { return entries[machine][3 * entry + 2]; }

        /** The place of a handshake of two states; NONE if they do not fit. */
        int meeting(int action, int sender, int receiver) {
            for (int at = 0; at < meetings.length; at += 5)
                if (meetings[at] == action && meetings[at + 1] == sender && meetings[at + 2] == receiver) return at;
            return NONE;
        }

        /** Whether some handshake of an action is possible for the state of the sender (1) or the receiver (2). */
        boolean meets(int action, int side, int state) {
            for (int at = 0; at < meetings.length; at += 5) if (meetings[at] == action && meetings[at + side] == state) return true;
            return false;
        }

        int receive(int from, int to) {
            for (int at = 0; at < actions.length; at++)
                if (actions[at].verb == RECEIVE && actions[at].from == from && actions[at].to[0] == to) return at;
            return NONE;
        }
    }

    /** A whole session without values. */
    public static final class Core {
        final Tables tables;
        final int[] control;
        final boolean[] closed;
        final List<ArrayDeque<int[]>> queues = new ArrayList<>();

        public Core(Tables tables) {
            this.tables = tables;
            control = new int[tables.rows.length];
            closed = new boolean[tables.channels.length / 2];
            for (int at = 0; at < closed.length; at++) queues.add(new ArrayDeque<>());
        }

        /** A send, a close or a handshake; false, and nothing has changed, if it is not enabled. */
        public boolean trySend(int number) {
            Action action = tables.actions[number];
            if (action.verb == HANDSHAKE && tables.liberal) {
                int met = tables.meeting(number, control[action.from], control[action.to[0]]);
                if (met == NONE) return false;
                control[action.from] = tables.meetings[met + 3];
                control[action.to[0]] = tables.meetings[met + 4];
                return true;
            }
            int machine = tables.machine(action.from), entry = tables.find(machine, control[machine], number);
            if (entry == NONE) return false;
            if (action.verb == SEND) for (int to : action.to) if (!hasRoom(tables.channel(action.from, to))) return false;
            control[machine] = tables.next(machine, entry);
            if (action.verb == SEND) for (int to : action.to) queues.get(tables.channel(action.from, to)).add(new int[] {action.message, tables.stamp(machine, entry)});
            if (action.verb == CLOSE) for (int to : action.to) closed[tables.channel(action.from, to)] = true;
            return true;
        }

        boolean hasRoom(int channel) { return !closed[channel] && (tables.capacity == NONE || queues.get(channel).size() < tables.capacity); }

        /** A receive: type and stamp of the message that was taken; null, and nothing has changed, if it is not enabled. */
        public int[] tryRecv(int number) {
            Action action = tables.actions[number];
            ArrayDeque<int[]> queue = queues.get(tables.channel(action.from, action.to[0]));
            int machine = tables.machine(action.to[0]);
            if (queue.isEmpty()) return null;
            int entry = tables.find(machine, control[machine], number, queue.peek()[1]);
            if (entry == NONE) return null;
            control[machine] = tables.next(machine, entry);
            return queue.poll();
        }

        public boolean mayEnd() {
            for (int at = 0; at < control.length; at++) if (tables.mayStop[at][control[at]] == 0) return false;
            return queues.stream().allMatch(ArrayDeque::isEmpty);
        }

        String write() {
            StringBuilder text = new StringBuilder();
            for (int at = 0; at < control.length; at++) text.append(at > 0 ? "," : "").append(control[at]);
            for (int at = 0; at < closed.length; at++) {
                text.append('|').append(closed[at] ? "!" : "");
                String comma = "";
                for (int[] message : queues.get(at)) {
                    text.append(comma).append(kind(message[0])).append('.').append(message[1]);
                    comma = ",";
                }
            }
            return text.toString();
        }

        static Core read(Tables tables, String text) {
            Core core = new Core(tables);
            String[] parts = text.split("\\|", -1), control = parts[0].split(",");
            for (int at = 0; at < control.length; at++) core.control[at] = Integer.parseInt(control[at]);
            for (int at = 1; at < parts.length; at++) {
                core.closed[at - 1] = parts[at].startsWith("!");
                for (String word : parts[at].replace("!", "").split(",")) {
                    if (word.isEmpty()) continue;
                    String[] pair = word.split("\\.");
                    core.queues.get(at - 1).add(new int[] {pair[0].equals("*") ? NONE : Integer.parseInt(pair[0]), Integer.parseInt(pair[1])});
                }
            }
            return core;
        }
    }

    static String kind(int kind) { return kind == NONE ? "*" : Integer.toString(kind); }

    /** What one role holds. */
    public static final class Endpoint implements AutoCloseable {
        final Tables tables;
        final int role;
        final Session session;
        int state = 0;

        Endpoint(Tables tables, int role, Session session) { this.tables = tables; this.role = role; this.session = session; }

        /** Sends a value of a type to a role, or to several at once, in ascending order. */
        public void send(Object value, int kind, int... to) throws InterruptedException {
            for (int at = 0; at < tables.actions.length; at++) {
                Action action = tables.actions[at];
                boolean sends = action.verb == SEND || action.verb == HANDSHAKE;
                if (sends && action.from == role && action.message == kind && Arrays.equals(action.to, to)) { session.send(this, at, value); return; }
            }
            throw new NotAllowed(tables.roles[role] + " never sends this");
        }

        /** Sends nothing more to a role. */
        public void closeTo(int to) throws InterruptedException {
            for (int at = 0; at < tables.actions.length; at++) {
                Action action = tables.actions[at];
                if (action.verb == CLOSE && action.from == role && action.to[0] == to) { session.send(this, at, null); return; }
            }
            throw new NotAllowed("closing this channel");
        }

        /** Waits for a message from a role. */
        public Message recv(int from) throws InterruptedException { return session.recv(this, from); }

        /** Says that this role is done; who waits for it hears of it. */
        @Override public void close() { session.leave(this); }
    }

    interface Session {
        void send(Endpoint endpoint, int action, Object value) throws InterruptedException;
        Message recv(Endpoint endpoint, int from) throws InterruptedException;
        void leave(Endpoint endpoint);
    }

    static final class Offer {
        final int action, sender;
        final Object value;
        int next = NONE;
        Offer(int action, int sender, Object value) { this.action = action; this.sender = sender; this.value = value; }
    }

    /** One state that all roles share. */
    static final class Strict implements Session {
        final Tables tables;
        final Core core;
        final List<ArrayDeque<Object[]>> values = new ArrayList<>();
        final Offer[] offers;
        int present;

        Strict(Tables tables) {
            this.tables = tables; core = new Core(tables); offers = new Offer[tables.roles.length]; present = tables.roles.length;
            for (int at = 0; at < tables.channels.length / 2; at++) values.add(new ArrayDeque<>());
        }

        void waitForChange() throws InterruptedException {
            if (present < 2) throw new Disconnected();
            wait();
        }

        public synchronized void send(Endpoint endpoint, int number, Object value) throws InterruptedException {
            Action action = tables.actions[number];
            if (action.verb == HANDSHAKE) {
                Offer offer = offers[action.from] = new Offer(number, 0, value);
                notifyAll();
                while (offer.next == NONE) waitForChange();
                return;
            }
            while (!core.trySend(number)) waitForChange();
            if (action.verb == SEND) for (int to : action.to) values.get(tables.channel(action.from, to)).add(new Object[] {value});
            notifyAll();
        }

        public synchronized Message recv(Endpoint endpoint, int from) throws InterruptedException {
            int receive = tables.receive(from, endpoint.role);
            while (true) {
                int[] taken = receive == NONE ? null : core.tryRecv(receive);
                if (taken != null) {
                    notifyAll();
                    return new Message(taken[0], values.get(tables.channel(from, endpoint.role)).poll()[0]);
                }
                Offer offer = offers[from];
                if (offer != null && tables.actions[offer.action].to[0] == endpoint.role && core.trySend(offer.action)) {
                    offers[from] = null;
                    offer.next = 0;
                    notifyAll();
                    return new Message(tables.actions[offer.action].message, offer.value);
                }
                waitForChange();
            }
        }

        public synchronized void leave(Endpoint endpoint) { present--; notifyAll(); }
    }

    static final class Channel {
        final ArrayDeque<Object[]> messages = new ArrayDeque<>();
        boolean closed, gone;
        Offer offer;
    }

    /** A machine for each role, and nothing shared but channels. */
    static final class Liberal implements Session {
        final Tables tables;
        final Channel[] channels;

        Liberal(Tables tables) {
            this.tables = tables;
            channels = new Channel[tables.roles.length * tables.roles.length];
            for (int at = 0; at < channels.length; at++) channels[at] = new Channel();
        }

        Channel channel(int from, int to) { return channels[from * tables.roles.length + to]; }

        public void send(Endpoint endpoint, int number, Object value) throws InterruptedException {
            Action action = tables.actions[number];
            if (action.verb == HANDSHAKE) { meet(endpoint, number, value); return; }
            int entry = tables.find(action.from, endpoint.state, number);
            if (entry == NONE) throw new NotAllowed(tables.roles[action.from] + " sends this");
            for (int to : action.to) {
                Channel channel = channel(action.from, to);
                synchronized (channel) {
                    while (action.verb == SEND && tables.capacity != NONE && channel.messages.size() >= tables.capacity) channel.wait();
                }
            }
            for (int to : action.to) {
                Channel channel = channel(action.from, to);
                synchronized (channel) {
                    if (action.verb == CLOSE) channel.closed = true;
                    else channel.messages.add(new Object[] {action.message, tables.stamp(action.from, entry), value});
                    channel.notifyAll();
                }
            }
            endpoint.state = tables.next(action.from, entry);
        }

        void meet(Endpoint endpoint, int number, Object value) throws InterruptedException {
            if (!tables.meets(number, 1, endpoint.state)) throw new NotAllowed(tables.roles[endpoint.role] + " meets nobody now");
            Channel channel = channel(endpoint.role, tables.actions[number].to[0]);
            synchronized (channel) {
                Offer offer = channel.offer = new Offer(number, endpoint.state, value);
                channel.notifyAll();
                while (offer.next == NONE) {
                    if (channel.gone) throw new Disconnected();
                    channel.wait();
                }
                endpoint.state = offer.next;
            }
        }

        public Message recv(Endpoint endpoint, int from) throws InterruptedException {
            int role = endpoint.role, receive = tables.receive(from, role);
            if (receive != NONE && tables.find(role, endpoint.state, receive) == NONE) receive = NONE;
            boolean meets = false;
            for (int at = 0; at < tables.actions.length; at++) {
                Action action = tables.actions[at];
                if (action.verb == HANDSHAKE && action.from == from && action.to[0] == role) meets |= tables.meets(at, 2, endpoint.state);
            }
            if (receive == NONE && !meets) throw new NotAllowed(tables.roles[role] + " receives from " + tables.roles[from]);
            Channel channel = channel(from, role);
            synchronized (channel) {
                while (true) {
                    if (receive != NONE && !channel.messages.isEmpty()) {
                        Object[] message = channel.messages.peek();
                        int entry = tables.find(role, endpoint.state, receive, (Integer) message[1]);
                        if (entry == NONE) throw new NotAllowed("this message was not to come now");
                        channel.messages.poll();
                        endpoint.state = tables.next(role, entry);
                        channel.notifyAll();
                        return new Message((Integer) message[0], message[2]);
                    }
                    Offer offer = channel.offer;
                    int met = offer == null ? NONE : tables.meeting(offer.action, offer.sender, endpoint.state);
                    if (met != NONE) {
                        channel.offer = null;
                        offer.next = tables.meetings[met + 3];
                        endpoint.state = tables.meetings[met + 4];
                        channel.notifyAll();
                        return new Message(tables.actions[offer.action].message, offer.value);
                    }
                    if (channel.closed) throw new Disconnected();
                    channel.wait();
                }
            }
        }

        public void leave(Endpoint endpoint) {
            for (int other = 0; other < tables.roles.length; other++) {
                for (Channel channel : new Channel[] {channel(endpoint.role, other), channel(other, endpoint.role)}) {
                    synchronized (channel) {
                        channel.closed |= channel == channel(endpoint.role, other);
                        channel.gone = true;
                        channel.notifyAll();
                    }
                }
            }
        }
    }

    /** An endpoint for each role, in order. */
    public static Endpoint[] open(Tables tables) {
        Session session = tables.liberal ? new Liberal(tables) : new Strict(tables);
        Endpoint[] endpoints = new Endpoint[tables.roles.length];
        for (int role = 0; role < endpoints.length; role++) endpoints[role] = new Endpoint(tables, role, session);
        return endpoints;
    }

    /** The answer to a question of a checker. */
    static String answer(Tables tables, String line) {
        String[] words = line.trim().split(" ");
        if (words[0].equals("start")) return new Core(tables).write();
        Core core = Core.read(tables, words[words.length - 1]);
        switch (words[0]) {
            case "end": return core.mayEnd() ? "yes" : "no";
            case "send": return core.trySend(Integer.parseInt(words[1])) ? core.write() : "-";
            case "recv":
                int[] taken = core.tryRecv(Integer.parseInt(words[1]));
                return taken == null ? "-" : kind(taken[0]) + " " + core.write();
            default: return "? " + line;
        }
    }

    /** Answers questions from standard input until it ends. */
    public static void drive(Tables tables) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) System.out.println(answer(tables, line));
    }

    /** Checks a generated class with the command motet, for a test: assertEquals(0, MotetSession.check("java -cp out Chess", "chess.dcj")). */
    public static int check(String program, String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("motet", "protocol", "check", "--drive", program));
        line.addAll(List.of(arguments));
        return new ProcessBuilder(line).inheritIO().start().waitFor();
    }
}
