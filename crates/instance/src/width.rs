//! Choosing the width of packed states, in machine words, from those that are compiled.

/// Calls a function that is generic in the width of states with the smallest compiled width that fits.
///
/// Each width is one more copy of every search. Development builds have few of them, because they are compiled often
/// and seldom run for long.
#[macro_export]
macro_rules! for_width {
    ($instances:expr, $function:ident ( $($argument:expr),* ), $otherwise:expr) => {{
        let words = $instances.iter().map($crate::machine::Instance::words).max().unwrap_or(0);
        #[cfg(debug_assertions)]
        let called = match words {
            0..=1 => $function::<1>($($argument),*),
            2..=4 => $function::<4>($($argument),*),
            5..=16 => $function::<16>($($argument),*),
            17..=64 => $function::<64>($($argument),*),
            _ => $otherwise,
        };
        #[cfg(not(debug_assertions))]
        let called = match words {
            0..=1 => $function::<1>($($argument),*),
            2 => $function::<2>($($argument),*),
            3 => $function::<3>($($argument),*),
            4 => $function::<4>($($argument),*),
            5..=6 => $function::<6>($($argument),*),
            7..=8 => $function::<8>($($argument),*),
            9..=12 => $function::<12>($($argument),*),
            13..=16 => $function::<16>($($argument),*),
            17..=32 => $function::<32>($($argument),*),
            33..=64 => $function::<64>($($argument),*),
            _ => $otherwise,
        };
        called
    }};
}
