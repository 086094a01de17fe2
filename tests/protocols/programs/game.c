/* A game of turns by two threads, on the generated header turn_game.h. */
#include "turn_game.h"

#include <assert.h>

static long sum;

static void *play_black(void *black) {
  int kind;
  void *value;
  while (motet_recv(black, TURN_GAME_ROLE_WHITE, &kind, &value) == MOTET_DONE && kind == TURN_GAME_TYPE_MOVE) {
    sum += (long)value;
    assert(motet_send(black, TURN_GAME_BLACK_SENDS_MOVE_TO_WHITE, (char *)value + 1) == MOTET_DONE);
  }
  return NULL;
}

int main(void) {
  motet_endpoint players[2];
  motet_session *session = motet_open(&turn_game_tables, players);
  motet_endpoint *white = &players[TURN_GAME_ROLE_WHITE];
  pthread_t other;
  pthread_create(&other, NULL, play_black, &players[TURN_GAME_ROLE_BLACK]);
  for (long value = 0; value < 200; value += 2) {
    int kind;
    void *answer;
    assert(motet_send(white, TURN_GAME_WHITE_SENDS_MOVE_TO_BLACK, (void *)value) == MOTET_DONE);
    assert(motet_recv(white, TURN_GAME_ROLE_BLACK, &kind, &answer) == MOTET_DONE);
    assert(kind == TURN_GAME_TYPE_MOVE && (long)answer == value + 1);
  }
  assert(motet_send(white, TURN_GAME_WHITE_SENDS_RESIGN_TO_BLACK, NULL) == MOTET_DONE);
  pthread_join(other, NULL);
  if (turn_game_tables.liberal) assert(motet_send(white, TURN_GAME_WHITE_SENDS_MOVE_TO_BLACK, NULL) == MOTET_NOT_ALLOWED);
  motet_leave(&players[0]), motet_leave(&players[1]), motet_free(session);
  assert(sum == 9900);
  puts("played");
  return 0;
}
