//! Addresses in words of the source: functions and lines for code, names for memory.

use crate::variables::Variables;
use addr2line::{
    Context,
    gimli::{self, EndianSlice, LittleEndian},
};
use object::{Object, ObjectSection};
use std::{fmt, fs, io, path::Path};

/// The contents of an executable, from which symbols are read.
#[derive(Default)]
pub(crate) struct Debug(Vec<u8>);

impl Debug {
    pub(crate) fn read(path: &Path) -> io::Result<Debug> {
        fs::read(path).map(Debug)
    }
}

pub(crate) type Slice<'d> = EndianSlice<'d, LittleEndian>;

/// What the debug information of an executable says.
pub(crate) struct Symbols<'d> {
    context: Option<Context<Slice<'d>>>,
    variables: Variables,
    /// What is added to the addresses in the file when it is loaded.
    base: u64,
    /// The folder that names of files are told relative to.
    folder: &'d Path,
}

/// A line of source.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The function, as it is called in the source.
    pub function: Option<String>,
    /// The file: its name below the folder of the program, or its whole path.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1; 0 if it is not known.
    pub column: u32,
}

/// `queue.c:42`: the name of the file without its folder.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = Path::new(&self.file)
            .file_name()
            .map_or(self.file.as_str().into(), |name| name.to_string_lossy());
        write!(f, "{name}:{}", self.line)
    }
}

impl<'d> Symbols<'d> {
    /// Symbols of an executable that is loaded at `base`. What cannot be read is missing, which costs names, not answers.
    pub(crate) fn new(debug: &'d Debug, base: u64, folder: &'d Path) -> Symbols<'d> {
        let dwarf = object::File::parse(&*debug.0).ok().map(|file| dwarf(&file));
        let variables = dwarf.as_ref().map(Variables::read).unwrap_or_default();
        let context = dwarf.and_then(|dwarf| Context::from_dwarf(dwarf).ok());
        Symbols { context, variables, base, folder }
    }

    /// The line of the call that returns to an address.
    pub(crate) fn call(&self, behind: u64) -> Option<Place> {
        self.instruction(behind.checked_sub(1)?)
    }

    /// The line of an instruction.
    pub(crate) fn instruction(&self, address: u64) -> Option<Place> {
        let address = address.checked_sub(self.base)?;
        let mut frames = self.context.as_ref()?.find_frames(address).skip_all_loads().ok()?;
        let frame = frames.next().ok()??;
        let function =
            frame.function.as_ref().and_then(|name| name.demangle().ok().map(std::borrow::Cow::into_owned));
        let location = frame.location?;
        Some(Place {
            function,
            file: self.relative(location.file?),
            line: location.line?,
            column: location.column.unwrap_or(0),
        })
    }

    fn relative(&self, file: &str) -> String {
        let below = Path::new(file).strip_prefix(self.folder).ok();
        below.map_or_else(|| file.to_owned(), |below| below.to_string_lossy().into_owned())
    }

    /// The name of the global variable, or of its part, at an address.
    pub(crate) fn variable(&self, address: u64) -> Option<String> {
        self.variables.name(address.checked_sub(self.base)?)
    }
}

fn dwarf<'d>(file: &object::File<'d>) -> gimli::Dwarf<Slice<'d>> {
    let section = |id: gimli::SectionId| -> Result<Slice<'d>, gimli::Error> {
        let bytes =
            file.section_by_name(id.name()).and_then(|section| section.data().ok()).unwrap_or_default();
        Ok(EndianSlice::new(bytes, LittleEndian))
    };
    gimli::Dwarf::load(section).unwrap_or_else(|_| gimli::Dwarf::default())
}
