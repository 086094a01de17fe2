// expect: test: error does-not-compile
int answer(void) { return 42; }
