/* What a C or C++ program may tell `motet test` about itself. `motet cc` and `motet c++` find this header by themselves:
 *
 *     #include <motet.h>
 *
 * Programs that are also built by other compilers can do without it:
 *
 *     #if defined(__has_include)
 *     #if __has_include(<motet.h>)
 *     #include <motet.h>
 *     #endif
 *     #endif
 *     #ifndef MOTET
 *     #define motet_choose(count) 0u
 *     #define motet_point() ((void)0)
 *     #endif
 *
 * In a program that is started by hand, without the tester, all of these do nothing.
 */
#ifndef MOTET
#define MOTET 1

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One of the numbers from 0 to count - 1: the tester tries all of them. For input that is not determined, such as what a user
 * types or which of several messages comes first. Returns 0 outside of tests, and where count is 0 or 1. */
unsigned motet_choose(unsigned count);

/* Tells of an access to memory that no compiler has instrumented: in inline assembly, or in a library that was built elsewhere.
 * To be called right before the access; write is not 0 if it changes the memory. Such accesses take part in races, and are
 * scheduling points where they race, like any other. */
void motet_access(const volatile void *address, size_t size, int write);

/* A point at which other threads may go on, whatever is around it. */
void motet_point(void);

/* Notes a value, such as a hash of the state at the end of a run. The tester collects the values of all runs: for tests of
 * programs that may end in several ways. */
void motet_observe(unsigned long value);

#ifdef __cplusplus
}
#endif
#endif
