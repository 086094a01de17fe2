//! Going back in time: a copy of the program's writable memory, restored page by page.
//!
//! At the snapshot all pages are protected. The first write to a page saves its content and makes it writable for ever;
//! from then on it belongs to the *working set*, which is copied back at each restart. A run costs what runs write,
//! not what the program has.

use crate::arena::{ARENA, ARENA_END};
use crate::sys;

/// The size of a page.
pub(crate) const PAGE: usize = 4096;

/// A page of the working set, with its content at the snapshot; `None` if that was zero.
struct Dirty {
    page: usize,
    content: Option<Box<[u8; PAGE]>>,
}

/// Addresses that belong to the program and are protected.
#[derive(Clone, Copy)]
struct Region {
    start: usize,
    end: usize,
}

/// The state of the program's memory at the snapshot.
#[derive(Default)]
pub(crate) struct Snapshot {
    regions: Vec<Region>,
    working_set: Vec<Dirty>,
}

impl Snapshot {
    /// Takes a snapshot of all memory that the program can write, except for what is named.
    ///
    /// # Safety
    /// The program is not running.
    pub(crate) unsafe fn take(&mut self, own_code: usize, thread_pointer: usize) {
        for (region, kind) in regions(own_code, thread_pointer) {
            match kind {
                Kind::Protected => self.protect(region),
                Kind::Hot => (region.start..region.end).step_by(PAGE).for_each(|page| self.save(page)),
            }
        }
    }

    /// Makes a region that was used for the first time after the snapshot part of it: what it had then is zero.
    pub(crate) unsafe fn add_unused(&mut self, start: usize, end: usize) {
        self.protect(Region { start, end });
    }

    unsafe fn protect(&mut self, region: Region) {
        if sys::protect(region.start, region.end - region.start, sys::READ) {
            self.regions.push(region);
        }
    }

    /// Makes all memory writable: it is not going to be restored.
    ///
    /// # Safety
    /// The process runs the program once.
    pub(crate) unsafe fn give_up(&self) {
        for Region { start, end } in &self.regions {
            sys::protect(*start, end - start, sys::READ_WRITE);
        }
    }

    /// Called at a fault: if the page is protected because of the snapshot, saves and releases it.
    ///
    /// # Safety
    /// Called by the handler of faults alone.
    pub(crate) unsafe fn release(&mut self, address: usize) -> bool {
        if !self.regions.iter().any(|region| (region.start..region.end).contains(&address)) {
            return false;
        }
        let page = address & !(PAGE - 1);
        if self.working_set.iter().rev().take(4).any(|dirty| dirty.page == page) {
            return false;
        }
        self.save(page);
        sys::protect(page, PAGE, sys::READ_WRITE)
    }

    unsafe fn save(&mut self, page: usize) {
        let content = &*(page as *const [u8; PAGE]);
        let zero = content.iter().all(|byte| *byte == 0);
        let content = (!zero).then(|| Box::new(*content));
        self.working_set.push(Dirty { page, content });
    }

    /// Brings the memory back to what it was at the snapshot.
    ///
    /// # Safety
    /// No coroutine of the program is running.
    pub(crate) unsafe fn restore(&self) {
        for Dirty { page, content } in &self.working_set {
            let page = *page as *mut u8;
            match content {
                Some(content) => std::ptr::copy_nonoverlapping(content.as_ptr(), page, PAGE),
                None => std::ptr::write_bytes(page, 0, PAGE),
            }
        }
    }

    /// The number of bytes that a restart copies.
    pub(crate) fn bytes(&self) -> usize {
        self.working_set.len() * PAGE
    }
}

enum Kind {
    Protected,
    /// Always in the working set: the kernel or the loader writes there as well.
    Hot,
}

/// The writable private memory of the process, without the runtime's own.
fn regions(own_code: usize, thread_pointer: usize) -> Vec<(Region, Kind)> {
    let maps = sys::read_all("/proc/self/maps").unwrap_or_default();
    let maps = String::from_utf8_lossy(&maps).into_owned();
    let lines: Vec<Line<'_>> = maps.lines().filter_map(Line::parse).collect();
    let own = lines.iter().find(|line| line.contains(own_code)).map(|line| line.path).unwrap_or("");
    let mut found = Vec::new();
    let mut last = ("", 0);
    for line in &lines {
        // The zeroed data of a library is an unnamed region behind its file.
        let path = if line.path.is_empty() && last.1 == line.start { last.0 } else { line.path };
        last = (path, line.end);
        let ours = path == own || (ARENA..ARENA_END).contains(&line.start);
        if ours || !line.permissions.starts_with("rw") || !line.permissions.ends_with('p') {
            continue;
        }
        if path.starts_with("[stack") || path.starts_with("[v") {
            continue;
        }
        let hot = path.contains("/ld-") || path.contains("/ld.so") || line.contains(thread_pointer);
        let region = Region { start: line.start, end: line.end };
        found.push((region, if hot { Kind::Hot } else { Kind::Protected }));
    }
    found
}

/// A line of `/proc/self/maps`.
struct Line<'a> {
    start: usize,
    end: usize,
    permissions: &'a str,
    path: &'a str,
}

impl<'a> Line<'a> {
    fn parse(line: &'a str) -> Option<Line<'a>> {
        let mut words = line.split_ascii_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let permissions = words.next()?;
        let path = words.nth(3).unwrap_or("");
        let number = |text| usize::from_str_radix(text, 16).ok();
        Some(Line { start: number(start)?, end: number(end)?, permissions, path })
    }

    fn contains(&self, address: usize) -> bool {
        (self.start..self.end).contains(&address)
    }
}
