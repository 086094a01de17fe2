//! Thread-local storage for coroutines, as the loader makes it for threads.

use crate::context;
use crate::runtime::rt;
use crate::thread::MOST;

/// Thread-local storage of each thread, made once and reset at each creation.
#[derive(Default)]
pub(crate) struct Local {
    /// The storage that the process began with, which is that of the main thread.
    first: usize,
    made: Vec<Option<Storage>>,
}

struct Storage {
    pointer: usize,
    /// Where the block begins, and its content when it was new.
    start: usize,
    content: Vec<u8>,
}

/// The part of the heap that is not restored.
const PERMANENT: usize = MOST - 1;

unsafe extern "C" {
    fn dlsym(handle: usize, name: *const i8) -> usize;
}

/// Finds a function of libc that is not meant for everybody.
pub(crate) unsafe fn private<F: Copy>(name: &std::ffi::CStr) -> Option<F> {
    let found = dlsym(0, name.as_ptr());
    (found != 0).then(|| std::mem::transmute_copy(&found))
}

impl Local {
    /// Remembers the storage of the main thread.
    pub(crate) fn begin(&mut self) {
        self.first = context::thread_pointer();
    }

    /// Storage for a thread, as new.
    pub(crate) fn prepare(&mut self, thread: usize) -> usize {
        if thread == 0 {
            return self.first;
        }
        if self.made.len() <= thread {
            self.made.resize_with(thread + 1, || None);
        }
        if self.made[thread].is_none() {
            // SAFETY: asks the loader for storage as it makes for threads.
            self.made[thread] = unsafe { self.allocate() };
        }
        let Some(storage) = &self.made[thread] else { return self.first };
        // SAFETY: the block belongs to this thread, which does not run.
        unsafe {
            std::ptr::copy_nonoverlapping(
                storage.content.as_ptr(),
                storage.start as *mut u8,
                storage.content.len(),
            )
        };
        storage.pointer
    }

    unsafe fn allocate(&self) -> Option<Storage> {
        let allocate: extern "C" fn(usize) -> usize = private(c"_dl_allocate_tls")?;
        let info: extern "C" fn(*mut usize, *mut usize) = private(c"_dl_get_tls_static_info")?;
        let block_size: *const u32 = private(c"_thread_db_sizeof_pthread")?;
        let runtime = rt();
        let before = std::mem::replace(&mut runtime.heap_of, PERMANENT);
        let pointer = allocate(0);
        runtime.heap_of = before;
        let (mut size, mut align) = (0, 0);
        info(&mut size, &mut align);
        let control = *block_size as usize;
        self.fill(pointer);
        let start = pointer + control - size;
        let content = std::slice::from_raw_parts(start as *const u8, size).to_vec();
        Some(Storage { pointer, start, content })
    }

    /// What glibc writes into the control block of a thread before it starts.
    unsafe fn fill(&self, pointer: usize) {
        let (new, first) = (pointer as *mut usize, self.first as *const usize);
        *new = pointer;
        *new.add(2) = pointer;
        // The stack protector's value and the key for pointers.
        *new.add(5) = *first.add(5);
        *new.add(6) = *first.add(6);
        if let Some(init) = private::<extern "C" fn()>(c"__ctype_init") {
            let now = context::thread_pointer();
            context::set_thread_pointer(pointer);
            init();
            context::set_thread_pointer(now);
        }
    }
}
