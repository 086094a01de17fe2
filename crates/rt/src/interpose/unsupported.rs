//! Calls whose effects a restart cannot undo, or that threads as coroutines cannot give: told by name, never ignored.

use crate::runtime::{Runtime, pc, rt};
use crate::sys;

impl Runtime {
    /// The program needs something that is not there: the run ends here, and the verdict says why.
    pub(crate) fn unsupported(&mut self, what: &str) -> ! {
        if !self.runs_program() {
            sys::complain(&format!("{what} is not supported"));
            sys::exit(70);
        }
        self.fail("unsupported", format!("{what} is not supported under test"), vec![pc()]);
        self.over = true;
        self.die()
    }
}

macro_rules! unsupported {
    ($($name:ident)*) => {
        entries! {
            $(
                fn $name() {
                    rt().unsupported(concat!("`", stringify!($name), "`"))
                }
            )*
        }
    };
}

unsupported! {
    fork vfork _Fork clone clone3 posix_spawn posix_spawnp system popen daemon
    execv execve execvp execl execlp execle fexecve
    pthread_kill pthread_sigqueue sigwait sigwaitinfo sigtimedwait sigsuspend pause
    pthread_mutex_setprioceiling pthread_mutex_consistent
    epoll_wait epoll_pwait poll ppoll select pselect accept accept4
    sem_open mq_open pthread_atfork
}
