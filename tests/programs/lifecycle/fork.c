// Child processes are not supported, and the program is told to be untested rather than right.
// expect: test: unknown unsupported
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
    if (fork() == 0)
        _exit(0);
    wait(NULL);
}
