/* What generated implementations of protocols run on: tables, a pure core, endpoints that block.
   A core is a whole session without the values of messages; motet_try_send and motet_try_recv are all that a checker needs. An endpoint is what one
   role of a program holds; it moves by the same functions on tables, and adds values and waiting. */
#ifndef MOTET_SESSION_H
#define MOTET_SESSION_H

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOTET_SEND, MOTET_RECEIVE, MOTET_HANDSHAKE, MOTET_CLOSE };
enum { MOTET_NONE = -1 };
enum { MOTET_DONE = 0, MOTET_NOT_ALLOWED = 1, MOTET_DISCONNECTED = 2 };

typedef struct { int verb, from, message, count; const int *to; } motet_action;
typedef struct { int action, stamp, next; } motet_entry;
typedef struct { const int *rows; const motet_entry *entries; const bool *may_stop; } motet_machine;
typedef struct { int action, sender, receiver, sender_next, receiver_next; } motet_meeting;

/* An implementation. Entries are sorted in each row. */
typedef struct {
  bool liberal;
  int roles, actions, machines, meetings, channels, capacity;
  const char *const *role_names;
  const motet_action *action;
  const motet_machine *machine;
  const motet_meeting *meeting;
  const int (*channel)[2];
} motet_tables;

static inline int motet_machine_of(const motet_tables *tables, int role) { return tables->liberal ? role : 0; }

static inline int motet_channel(const motet_tables *tables, int from, int to) {
  for (int at = 0; at < tables->channels; at++)
    if (tables->channel[at][0] == from && tables->channel[at][1] == to) return at;
  return MOTET_NONE;
}

/* The entry of an action in a state, with a stamp, or with any if that is MOTET_NONE; NULL if it is not enabled. */
static inline const motet_entry *motet_find(const motet_machine *machine, int state, int action, int stamp) {
  for (int at = machine->rows[state]; at < machine->rows[state + 1]; at++) {
    const motet_entry *entry = &machine->entries[at];
    if (entry->action == action && (stamp == MOTET_NONE || entry->stamp == stamp)) return entry;
  }
  return NULL;
}

static inline const motet_meeting *motet_meet(const motet_tables *tables, int action, int sender, int receiver) {
  for (int at = 0; at < tables->meetings; at++) {
    const motet_meeting *it = &tables->meeting[at];
    if (it->action == action && it->sender == sender && it->receiver == receiver) return it;
  }
  return NULL;
}

static inline int motet_receive(const motet_tables *tables, int from, int to) {
  for (int at = 0; at < tables->actions; at++) {
    const motet_action *it = &tables->action[at];
    if (it->verb == MOTET_RECEIVE && it->from == from && it->to[0] == to) return at;
  }
  return MOTET_NONE;
}

/* A queue of messages: type, stamp, value. */
typedef struct { int kind, stamp; void *value; } motet_message;
typedef struct { motet_message *items; size_t first, count, room; } motet_queue;

static inline void motet_push(motet_queue *queue, motet_message message) {
  if (queue->count == queue->room) {
    size_t room = queue->room ? 2 * queue->room : 8;
    motet_message *items = malloc(room * sizeof *items);
    if (!items) abort();
    for (size_t at = 0; at < queue->count; at++) items[at] = queue->items[(queue->first + at) % queue->room];
    free(queue->items);
    queue->items = items, queue->first = 0, queue->room = room;
  }
  queue->items[(queue->first + queue->count++) % queue->room] = message;
}

static inline motet_message motet_front(const motet_queue *queue, size_t at) { return queue->items[(queue->first + at) % queue->room]; }

static inline void motet_pop(motet_queue *queue) { queue->first = (queue->first + 1) % queue->room, queue->count--; }

/* A whole session. Values are NULL where a checker asks. */
typedef struct { const motet_tables *tables; int *control; bool *closed; motet_queue *queues; } motet_core;

static inline motet_core motet_core_new(const motet_tables *tables) {
  motet_core core = {tables, calloc(tables->machines, sizeof(int)), calloc(tables->channels + 1, sizeof(bool)),
                     calloc(tables->channels + 1, sizeof(motet_queue))};
  if (!core.control || !core.closed || !core.queues) abort();
  return core;
}

static inline void motet_core_free(motet_core *core) {
  for (int at = 0; at < core->tables->channels; at++) free(core->queues[at].items);
  free(core->control), free(core->closed), free(core->queues);
}

/* A send, a close or a handshake; false, and nothing has changed, if it is not enabled. */
static inline bool motet_try_send(motet_core *core, int number, void *value) {
  const motet_tables *tables = core->tables;
  const motet_action *action = &tables->action[number];
  if (action->verb == MOTET_HANDSHAKE && tables->liberal) {
    const motet_meeting *met = motet_meet(tables, number, core->control[action->from], core->control[action->to[0]]);
    if (!met) return false;
    core->control[action->from] = met->sender_next, core->control[action->to[0]] = met->receiver_next;
    return true;
  }
  int machine = motet_machine_of(tables, action->from);
  const motet_entry *entry = motet_find(&tables->machine[machine], core->control[machine], number, MOTET_NONE);
  if (!entry) return false;
  for (int at = 0; at < action->count && action->verb == MOTET_SEND; at++) {
    int channel = motet_channel(tables, action->from, action->to[at]);
    bool full = tables->capacity != MOTET_NONE && core->queues[channel].count >= (size_t)tables->capacity;
    if (core->closed[channel] || full) return false;
  }
  core->control[machine] = entry->next;
  for (int at = 0; at < action->count && action->verb != MOTET_HANDSHAKE; at++) {
    int channel = motet_channel(tables, action->from, action->to[at]);
    if (action->verb == MOTET_CLOSE) core->closed[channel] = true;
    else motet_push(&core->queues[channel], (motet_message){action->message, entry->stamp, value});
  }
  return true;
}

/* A receive: true, and the message that was taken; false, and nothing has changed, if it is not enabled. */
static inline bool motet_try_recv(motet_core *core, int number, motet_message *message) {
  const motet_tables *tables = core->tables;
  const motet_action *action = &tables->action[number];
  int machine = motet_machine_of(tables, action->to[0]);
  motet_queue *queue = &core->queues[motet_channel(tables, action->from, action->to[0])];
  if (!queue->count) return false;
  *message = motet_front(queue, 0);
  const motet_entry *entry = motet_find(&tables->machine[machine], core->control[machine], number, message->stamp);
  if (!entry) return false;
  core->control[machine] = entry->next;
  motet_pop(queue);
  return true;
}

static inline bool motet_may_end(const motet_core *core) {
  for (int at = 0; at < core->tables->channels; at++)
    if (core->queues[at].count) return false;
  for (int at = 0; at < core->tables->machines; at++)
    if (!core->tables->machine[at].may_stop[core->control[at]]) return false;
  return true;
}

/* A channel of a liberal session. */
typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  motet_queue queue;
  bool closed, gone, offered, met;
  int action, sender, sender_next;
  void *value;
} motet_link;

/* A session, and what one role of it holds. */
typedef struct {
  const motet_tables *tables;
  motet_link *links; /* liberal: one for each sender and receiver */
  pthread_mutex_t lock; /* strict: one state that all roles share */
  pthread_cond_t changed;
  motet_core core;
  motet_link *offers; /* strict: a handshake that each role is ready for */
  int present, used;
} motet_session;

typedef struct { motet_session *session; int role, state; } motet_endpoint;

static inline motet_session *motet_open(const motet_tables *tables, motet_endpoint *endpoints) {
  motet_session *session = calloc(1, sizeof *session);
  if (!session) abort();
  session->tables = tables, session->present = session->used = tables->roles, session->core = motet_core_new(tables);
  pthread_mutex_init(&session->lock, NULL), pthread_cond_init(&session->changed, NULL);
  int count = tables->roles * tables->roles;
  session->links = calloc(count, sizeof(motet_link)), session->offers = calloc(tables->roles, sizeof(motet_link));
  if (!session->links || !session->offers) abort();
  for (int at = 0; at < count; at++) pthread_mutex_init(&session->links[at].lock, NULL), pthread_cond_init(&session->links[at].changed, NULL);
  for (int role = 0; role < tables->roles; role++) endpoints[role] = (motet_endpoint){session, role, 0};
  return session;
}

/* Frees a session that no role uses any more. */
static inline void motet_free(motet_session *session) {
  for (int at = 0; at < session->tables->roles * session->tables->roles; at++) free(session->links[at].queue.items);
  motet_core_free(&session->core);
  free(session->links), free(session->offers), free(session);
}

static inline motet_link *motet_link_of(motet_session *session, int from, int to) { return &session->links[from * session->tables->roles + to]; }

/* Waits for a change of a strict session; false if nobody is left who could change it. */
static inline bool motet_wait(motet_session *session) {
  if (session->present < 2) return false;
  pthread_cond_wait(&session->changed, &session->lock);
  return true;
}

static inline int motet_strict_send(motet_endpoint *self, int number, void *value) {
  motet_session *session = self->session;
  int result = MOTET_DONE;
  pthread_mutex_lock(&session->lock);
  if (session->tables->action[number].verb == MOTET_HANDSHAKE) {
    motet_link *offer = &session->offers[self->role];
    offer->offered = true, offer->met = false, offer->action = number, offer->value = value;
    pthread_cond_broadcast(&session->changed);
    while (!offer->met)
      if (!motet_wait(session)) { result = MOTET_DISCONNECTED; break; }
    offer->offered = false;
  } else {
    while (!motet_try_send(&session->core, number, value))
      if (!motet_wait(session)) { result = MOTET_DISCONNECTED; break; }
    pthread_cond_broadcast(&session->changed);
  }
  pthread_mutex_unlock(&session->lock);
  return result;
}

static inline int motet_strict_recv(motet_endpoint *self, int from, int *kind, void **value) {
  motet_session *session = self->session;
  int receive = motet_receive(session->tables, from, self->role), result = MOTET_DONE;
  pthread_mutex_lock(&session->lock);
  while (true) {
    motet_message message;
    if (receive != MOTET_NONE && motet_try_recv(&session->core, receive, &message)) {
      *kind = message.kind, *value = message.value;
      break;
    }
    motet_link *offer = &session->offers[from];
    bool mine = offer->offered && !offer->met && session->tables->action[offer->action].to[0] == self->role;
    if (mine && motet_try_send(&session->core, offer->action, NULL)) {
      offer->met = true, *kind = session->tables->action[offer->action].message, *value = offer->value;
      break;
    }
    if (!motet_wait(session)) { result = MOTET_DISCONNECTED; break; }
  }
  pthread_cond_broadcast(&session->changed);
  pthread_mutex_unlock(&session->lock);
  return result;
}

static inline bool motet_meets(const motet_tables *tables, int action, bool as_sender, int state) {
  for (int at = 0; at < tables->meetings; at++) {
    const motet_meeting *it = &tables->meeting[at];
    if (it->action == action && (as_sender ? it->sender : it->receiver) == state) return true;
  }
  return false;
}

static inline int motet_liberal_send(motet_endpoint *self, int number, void *value) {
  const motet_tables *tables = self->session->tables;
  const motet_action *action = &tables->action[number];
  if (action->verb == MOTET_HANDSHAKE) {
    if (!motet_meets(tables, number, true, self->state)) return MOTET_NOT_ALLOWED;
    motet_link *link = motet_link_of(self->session, self->role, action->to[0]);
    pthread_mutex_lock(&link->lock);
    link->offered = true, link->met = false, link->action = number, link->sender = self->state, link->value = value;
    pthread_cond_broadcast(&link->changed);
    while (!link->met && !link->gone) pthread_cond_wait(&link->changed, &link->lock);
    link->offered = false;
    int result = link->met ? MOTET_DONE : MOTET_DISCONNECTED;
    if (link->met) self->state = link->sender_next;
    pthread_mutex_unlock(&link->lock);
    return result;
  }
  const motet_entry *entry = motet_find(&tables->machine[self->role], self->state, number, MOTET_NONE);
  if (!entry) return MOTET_NOT_ALLOWED;
  for (int at = 0; at < action->count && action->verb == MOTET_SEND && tables->capacity != MOTET_NONE; at++) {
    motet_link *link = motet_link_of(self->session, self->role, action->to[at]);
    pthread_mutex_lock(&link->lock);
    while (link->queue.count >= (size_t)tables->capacity && !link->gone) pthread_cond_wait(&link->changed, &link->lock);
    bool gone = link->gone;
    pthread_mutex_unlock(&link->lock);
    if (gone) return MOTET_DISCONNECTED;
  }
  for (int at = 0; at < action->count; at++) {
    motet_link *link = motet_link_of(self->session, self->role, action->to[at]);
    pthread_mutex_lock(&link->lock);
    if (action->verb == MOTET_CLOSE) link->closed = true;
    else motet_push(&link->queue, (motet_message){action->message, entry->stamp, value});
    pthread_cond_broadcast(&link->changed);
    pthread_mutex_unlock(&link->lock);
  }
  self->state = entry->next;
  return MOTET_DONE;
}

static inline int motet_liberal_recv(motet_endpoint *self, int from, int *kind, void **value) {
  const motet_tables *tables = self->session->tables;
  const motet_machine *machine = &tables->machine[self->role];
  int receive = motet_receive(tables, from, self->role), result = MOTET_DONE;
  if (receive != MOTET_NONE && !motet_find(machine, self->state, receive, MOTET_NONE)) receive = MOTET_NONE;
  bool meets = false;
  for (int at = 0; at < tables->actions; at++) {
    const motet_action *it = &tables->action[at];
    if (it->verb == MOTET_HANDSHAKE && it->from == from && it->to[0] == self->role) meets |= motet_meets(tables, at, false, self->state);
  }
  if (receive == MOTET_NONE && !meets) return MOTET_NOT_ALLOWED;
  motet_link *link = motet_link_of(self->session, from, self->role);
  pthread_mutex_lock(&link->lock);
  while (true) {
    if (receive != MOTET_NONE && link->queue.count) {
      motet_message message = motet_front(&link->queue, 0);
      const motet_entry *entry = motet_find(machine, self->state, receive, message.stamp);
      if (!entry) { result = MOTET_NOT_ALLOWED; break; }
      motet_pop(&link->queue);
      self->state = entry->next, *kind = message.kind, *value = message.value;
      break;
    }
    const motet_meeting *met = link->offered && !link->met ? motet_meet(tables, link->action, link->sender, self->state) : NULL;
    if (met) {
      link->met = true, link->sender_next = met->sender_next, self->state = met->receiver_next;
      *kind = tables->action[link->action].message, *value = link->value;
      break;
    }
    if (link->closed) { result = MOTET_DISCONNECTED; break; }
    pthread_cond_wait(&link->changed, &link->lock);
  }
  pthread_cond_broadcast(&link->changed);
  pthread_mutex_unlock(&link->lock);
  return result;
}

/* Takes a send, a close or a handshake by its number, and waits until it is done. */
static inline int motet_send(motet_endpoint *self, int action, void *value) {
  return self->session->tables->liberal ? motet_liberal_send(self, action, value) : motet_strict_send(self, action, value);
}

/* Waits for a message from a role. */
static inline int motet_recv(motet_endpoint *self, int from, int *kind, void **value) {
  return self->session->tables->liberal ? motet_liberal_recv(self, from, kind, value) : motet_strict_recv(self, from, kind, value);
}

/* Says that this role is done; who waits for it hears of it. */
static inline void motet_leave(motet_endpoint *self) {
  motet_session *session = self->session;
  pthread_mutex_lock(&session->lock);
  session->present--;
  pthread_cond_broadcast(&session->changed);
  pthread_mutex_unlock(&session->lock);
  for (int other = 0; other < session->tables->roles; other++) {
    motet_link *both[] = {motet_link_of(session, self->role, other), motet_link_of(session, other, self->role)};
    for (int at = 0; at < 2; at++) {
      pthread_mutex_lock(&both[at]->lock);
      both[at]->gone = true;
      if (at == 0) both[at]->closed = true;
      pthread_cond_broadcast(&both[at]->changed);
      pthread_mutex_unlock(&both[at]->lock);
    }
  }
}

static inline void motet_print(const motet_core *core) {
  for (int at = 0; at < core->tables->machines; at++) printf("%s%d", at ? "," : "", core->control[at]);
  for (int at = 0; at < core->tables->channels; at++) {
    printf("|%s", core->closed[at] ? "!" : "");
    for (size_t i = 0; i < core->queues[at].count; i++) {
      motet_message message = motet_front(&core->queues[at], i);
      if (message.kind == MOTET_NONE) printf("%s*.%d", i ? "," : "", message.stamp);
      else printf("%s%d.%d", i ? "," : "", message.kind, message.stamp);
    }
  }
  printf("\n");
}

static inline motet_core motet_parse(const motet_tables *tables, const char *text) {
  motet_core core = motet_core_new(tables);
  char *at = (char *)text;
  for (int machine = 0; machine < tables->machines; machine++) {
    core.control[machine] = (int)strtol(at, &at, 10);
    if (*at == ',') at++;
  }
  for (int channel = 0; channel < tables->channels && *at == '|'; channel++) {
    at++;
    if (*at == '!') core.closed[channel] = true, at++;
    while (*at && *at != '|' && *at != '\n') {
      int kind = MOTET_NONE;
      if (*at == '*') at++;
      else kind = (int)strtol(at, &at, 10);
      if (*at == '.') at++;
      motet_push(&core.queues[channel], (motet_message){kind, (int)strtol(at, &at, 10), NULL});
      if (*at == ',') at++;
    }
  }
  return core;
}

/* Answers questions of a checker from standard input until it ends. */
static inline int motet_drive(const motet_tables *tables) {
  char *line = NULL, *rest;
  size_t room = 0;
  while (getline(&line, &room, stdin) > 0) {
    bool sends = !strncmp(line, "send ", 5), receives = !strncmp(line, "recv ", 5), ends = !strncmp(line, "end ", 4);
    if (!strncmp(line, "start", 5)) {
      motet_core core = motet_core_new(tables);
      motet_print(&core), motet_core_free(&core);
    } else if (sends || receives || ends) {
      int action = ends ? 0 : (int)strtol(line + 5, &rest, 10);
      motet_core core = motet_parse(tables, ends ? line + 4 : rest + 1);
      motet_message message;
      if (ends) printf(motet_may_end(&core) ? "yes\n" : "no\n");
      else if (sends && motet_try_send(&core, action, NULL)) motet_print(&core);
      else if (receives && motet_try_recv(&core, action, &message)) {
        if (message.kind == MOTET_NONE) printf("* ");
        else printf("%d ", message.kind);
        motet_print(&core);
      } else printf("-\n");
      motet_core_free(&core);
    } else printf("? %s", line);
    fflush(stdout);
  }
  free(line);
  return 0;
}

#endif
