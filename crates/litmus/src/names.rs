//! The registers and locations of a test, collected while it is read, and the rules about them.

use crate::{Location, Place, Register, Thread, Width};
use source::{Diagnostic, Span, nearest};

/// What is known so far.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) locations: Vec<Location>,
    pub(crate) threads: Vec<Registers>,
    /// The width that the first register says, and where that is.
    width: Option<(Width, Span)>,
    /// What has an initial value, and where that is.
    initialised: Vec<(Place, Span)>,
    /// All numbers, to be compared with the width in the end.
    numbers: Vec<(i64, Span)>,
}

/// The registers of a thread.
#[derive(Debug, Default)]
pub(crate) struct Registers {
    list: Vec<Known>,
}

#[derive(Debug)]
struct Known {
    register: Register,
    initial: i64,
    /// Whether the initial state or an instruction gives it a value.
    written: bool,
}

impl Names {
    /// The location of a name, which exists from now on.
    pub(crate) fn location(&mut self, name: &str) -> usize {
        self.known_location(name).unwrap_or_else(|| {
            self.locations.push(Location { name: name.to_owned(), initial: 0 });
            self.locations.len() - 1
        })
    }

    fn known_location(&self, name: &str) -> Option<usize> {
        self.locations.iter().position(|location| location.name == name)
    }

    /// The register of a thread, which occurs from now on.
    pub(crate) fn register(&mut self, thread: usize, register: Register) -> usize {
        let list = &mut self.threads[thread].list;
        list.iter().position(|known| known.register == register).unwrap_or_else(|| {
            list.push(Known { register, initial: 0, written: false });
            list.len() - 1
        })
    }

    pub(crate) fn written(&mut self, thread: usize, register: usize) {
        self.threads[thread].list[register].written = true;
    }

    /// Sets an initial value, once.
    pub(crate) fn set(&mut self, place: Place, value: i64, at: Span) -> Result<(), Diagnostic> {
        if let Some((_, first)) = self.initialised.iter().find(|(known, _)| *known == place) {
            return Err(
                Diagnostic::error("set-twice", at, "this has an initial value already").also(*first, "here")
            );
        }
        self.initialised.push((place, at));
        match place {
            Place::Location(location) => self.locations[location].initial = value,
            Place::Register(thread, register) => {
                self.threads[thread].list[register].initial = value;
                self.written(thread, register);
            }
        }
        Ok(())
    }

    /// Notes the width that the name of a register says: all must say the same.
    pub(crate) fn width_of(&mut self, width: Width, at: Span) -> Result<(), Diagnostic> {
        let (first, place) = *self.width.get_or_insert((width, at));
        if first == width {
            return Ok(());
        }
        let message = format!("a register of {} bits in a test with one of {}", width.bits(), first.bits());
        Err(Diagnostic::error("mixed-widths", at, message)
            .also(place, "the first register")
            .help("all registers and locations of a test have the same width"))
    }

    pub(crate) fn number(&mut self, value: i64, at: Span) {
        self.numbers.push((value, at));
    }

    /// The width of the test.
    pub(crate) fn width(&self) -> Width {
        self.width.map_or(Width::Bits32, |(width, _)| width)
    }

    /// Errors about numbers that do not fit the width.
    pub(crate) fn unfit(&self) -> Vec<Diagnostic> {
        let width = self.width();
        let unfit = self.numbers.iter().filter(|(value, _)| !width.fits(*value));
        let message = format!("this number does not fit into {} bits", width.bits());
        unfit.map(|(_, at)| Diagnostic::error("number-too-large", *at, message.clone())).collect()
    }

    /// The thread of a number in the text.
    pub(crate) fn thread(&self, number: i64, at: Span) -> Result<usize, Diagnostic> {
        let count = self.threads.len();
        usize::try_from(number).ok().filter(|thread| *thread < count).ok_or_else(|| {
            let last = count.saturating_sub(1);
            Diagnostic::error("unknown-process", at, format!("there is no process {number}"))
                .label(format!("this test has P0 to P{last}"))
        })
    }

    /// The place of a register that a condition asks for. Nobody would know its value if nothing gave it one.
    pub(crate) fn asked_register(
        &mut self,
        thread: usize,
        register: Register,
        at: Span,
    ) -> Result<Place, Diagnostic> {
        let found =
            self.threads[thread].list.iter().position(|known| known.register == register && known.written);
        found.map(|register| Place::Register(thread, register)).ok_or_else(|| {
            let name = register.name(self.width());
            Diagnostic::error("unwritten-register", at, format!("P{thread} never writes {name}"))
                .label("neither an instruction nor the initial state gives it a value")
        })
    }

    /// The place of a location that a condition asks for.
    pub(crate) fn asked_location(&self, name: &str, at: Span) -> Result<Place, Diagnostic> {
        self.known_location(name).map(Place::Location).ok_or_else(|| {
            let known = self.locations.iter().map(|location| location.name.as_str());
            Diagnostic::error("unknown-location", at, format!("there is no location `{name}`"))
                .label("neither an instruction nor the initial state mentions it")
                .did_you_mean(nearest(name, known))
        })
    }

    /// The threads, without instructions, with initial values of the width of the test.
    pub(crate) fn into_parts(self) -> (Vec<Location>, Vec<Thread>) {
        let width = self.width();
        let wrapped = |location: Location| Location { initial: width.wrap(location.initial), ..location };
        let locations = self.locations.into_iter().map(wrapped).collect();
        let thread = |registers: Registers| {
            let known = registers.list.into_iter();
            let registers = known.map(|known| (known.register, width.wrap(known.initial))).collect();
            Thread { registers, instructions: vec![] }
        };
        (locations, self.threads.into_iter().map(thread).collect())
    }
}
