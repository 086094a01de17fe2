//! Executables: how they were linked, and a fingerprint of their code.

use object::{Object, ObjectKind, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};
use std::{collections::HashMap, fs, path::Path};

use crate::runtime;

/// An executable that can be tested.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Executable {
    pub(crate) linked: Linked,
    /// What is added to the addresses in the file when it is loaded.
    pub(crate) base: u64,
    /// Its functions, by the names that the linker knows.
    pub(crate) functions: HashMap<String, u64>,
    /// A fingerprint of its code and constants, which debug information and paths do not change.
    pub(crate) hash: String,
}

/// The runtime that an executable asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Linked {
    /// Ours.
    Runtime,
    /// That of `ThreadSanitizer`, in whose place ours is put.
    Sanitizer,
}

/// Where Linux loads executables that can be loaded anywhere, when addresses are not randomised.
const FIXED_BASE: u64 = 0x5555_5555_4000;

/// Whether a file looks like an executable or an object, rather than a source.
pub(crate) fn is_elf(path: &Path) -> bool {
    let mut start = [0; 4];
    let read = fs::File::open(path).and_then(|mut file| std::io::Read::read_exact(&mut file, &mut start));
    read.is_ok() && start == *b"\x7fELF"
}

impl Executable {
    /// Looks at an executable. The error is a sentence that says what to do.
    pub(crate) fn look(path: &Path) -> Result<Executable, String> {
        let shown = path.display();
        let bytes = fs::read(path).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
        let file = object::File::parse(&*bytes).map_err(|_| format!("`{shown}` is not an executable"))?;
        if !matches!(file.kind(), ObjectKind::Executable | ObjectKind::Dynamic) {
            return Err(format!("`{shown}` is not an executable"));
        }
        let libraries: Vec<String> = file
            .import_libraries()
            .into_iter()
            .flatten()
            .filter_map(|library| Some(String::from_utf8_lossy(library.ok()?.name()).into_owned()))
            .collect();
        let has = |name: &str| libraries.iter().any(|library| library == name);
        let linked = if has(runtime::FILE) {
            Linked::Runtime
        } else if has(runtime::SANITIZER_FILE) {
            Linked::Sanitizer
        } else {
            return Err(format!(
                "`{shown}` was not built for testing; build it with `motet cc` in place of the compiler, such as `make CC=\"motet cc\"`"
            ));
        };
        let base = if file.kind() == ObjectKind::Dynamic { FIXED_BASE } else { 0 };
        Ok(Executable { linked, base, functions: functions(&file), hash: hash(&file) })
    }
}

fn functions(file: &object::File<'_>) -> HashMap<String, u64> {
    let defined = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.is_definition());
    defined.filter_map(|symbol| Some((symbol.name().ok()?.to_owned(), symbol.address()))).collect()
}

/// FNV-1a, 64 bits, of everything that is executed or read.
fn hash(file: &object::File<'_>) -> String {
    let kinds = [
        SectionKind::Text,
        SectionKind::Data,
        SectionKind::ReadOnlyData,
        SectionKind::ReadOnlyString,
        SectionKind::Tls,
    ];
    // What the linker makes names paths, such as that of the runtime.
    let ours = |name: &str| [".text", ".rodata", ".data", ".tdata", ".init_array"].contains(&name);
    let sections =
        file.sections().filter(|section| kinds.contains(&section.kind()) && section.name().is_ok_and(ours));
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for section in sections {
        for byte in section.data().unwrap_or_default() {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}
