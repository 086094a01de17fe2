"""A game of turns by two threads, on the generated module turn_game."""

import threading

import motet_session
import turn_game

white, black = turn_game.open_session()
seen = []


def play_black():
    with black:
        kind, value = black.recv(turn_game.WHITE)
        while kind == turn_game.MOVE:
            seen.append(value)
            black.send(turn_game.WHITE, turn_game.MOVE, value + 1)
            kind, value = black.recv(turn_game.WHITE)


other = threading.Thread(target=play_black)
other.start()
with white:
    for value in range(0, 200, 2):
        white.send(turn_game.BLACK, turn_game.MOVE, value)
        assert white.recv(turn_game.BLACK) == (turn_game.MOVE, value + 1)
    white.send(turn_game.BLACK, turn_game.RESIGN)
    other.join()
    if turn_game.TABLES.liberal:
        try:
            white.send(turn_game.BLACK, turn_game.MOVE, 0)
            raise AssertionError("the game is over")
        except motet_session.NotAllowed:
            pass
assert seen == list(range(0, 200, 2))
print("played")
