//! Time is virtual: it passes when a thread sleeps, asks for it again and again, or when nobody can go on otherwise; and others learn of it as they learn of memory.

use crate::runtime::rt;

/// A `timespec`.
#[repr(C)]
pub(crate) struct Time {
    seconds: i64,
    nanoseconds: i64,
}

/// The time at the start of each run.
const START: i64 = 1_700_000_000;
/// What passes at each query, after many of them: who asks in a loop waits for others, or for the time itself.
const TICK: u64 = 1_000_000;
const MANY_QUERIES: usize = 64;

fn now() -> u64 {
    let runtime = rt();
    runtime.note_time();
    runtime.this().queries += 1;
    let tick = if runtime.this().queries > MANY_QUERIES { TICK } else { 0 };
    let time = &mut runtime.own_clock().time;
    *time += tick;
    *time
}

fn sleep(nanoseconds: u64) {
    rt().cancellation_point();
    rt().own_clock().time += nanoseconds;
}

/// Lets the time pass that a program gives.
pub(crate) unsafe fn sleep_for(time: *const Time) {
    sleep((*time).seconds as u64 * 1_000_000_000 + (*time).nanoseconds as u64);
}

entries! {
    fn clock_gettime(clock: i32, time: *mut Time) -> i32 {
        if !rt().runs_program() {
            return crate::sys::clock_gettime(clock, time.cast()) as i32;
        }
        let now = now();
        *time = Time { seconds: START + (now / 1_000_000_000) as i64, nanoseconds: (now % 1_000_000_000) as i64 };
        0
    }

    fn gettimeofday(time: *mut Time, _zone: usize) -> i32 {
        let now = now();
        *time = Time { seconds: START + (now / 1_000_000_000) as i64, nanoseconds: (now % 1_000_000_000 / 1000) as i64 };
        0
    }

    fn time(result: *mut i64) -> i64 {
        let seconds = START + (now() / 1_000_000_000) as i64;
        if !result.is_null() {
            *result = seconds;
        }
        seconds
    }

    fn nanosleep(time: *const Time, _left: usize) -> i32 {
        sleep_for(time);
        0
    }

    fn clock_nanosleep(_clock: i32, _flags: i32, time: *const Time, _left: usize) -> i32 {
        sleep_for(time);
        0
    }

    fn usleep(microseconds: u32) -> i32 {
        sleep(u64::from(microseconds) * 1000);
        0
    }

}

/// `sleep` has the name of a function above.
mod whole_seconds {
    entries! {
        fn sleep(seconds: u32) -> u32 {
            super::sleep(u64::from(seconds) * 1_000_000_000);
            0
        }
    }
}
