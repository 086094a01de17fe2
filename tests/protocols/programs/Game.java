// A game of turns by two threads, on the generated class TurnGame.
public final class Game {
    public static void main(String[] arguments) throws Exception {
        MotetSession.Endpoint[] players = TurnGame.open();
        MotetSession.Endpoint white = players[TurnGame.WHITE], black = players[TurnGame.BLACK];
        int[] sum = {0};
        Thread other = new Thread(() -> {
            try {
                for (MotetSession.Message message = black.recv(TurnGame.WHITE); message.kind() == TurnGame.TYPE_MOVE; message = black.recv(TurnGame.WHITE)) {
                    sum[0] += (Integer) message.value();
                    black.send((Integer) message.value() + 1, TurnGame.TYPE_MOVE, TurnGame.WHITE);
                }
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        });
        other.start();
        for (int value = 0; value < 200; value += 2) {
            white.send(value, TurnGame.TYPE_MOVE, TurnGame.BLACK);
            if ((Integer) white.recv(TurnGame.BLACK).value() != value + 1) throw new AssertionError();
        }
        white.send(null, TurnGame.TYPE_RESIGN, TurnGame.BLACK);
        other.join();
        if (TurnGame.TABLES.liberal) {
            try {
                white.send(0, TurnGame.TYPE_MOVE, TurnGame.BLACK);
                throw new AssertionError("the game is over");
            } catch (MotetSession.NotAllowed expected) {
                // It is.
            }
        }
        if (sum[0] != 9900) throw new AssertionError(sum[0]);
        System.out.println("played");
    }
}
