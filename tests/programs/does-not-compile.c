// expect: test: error does-not-compile
int main(void) { return nothing; }
