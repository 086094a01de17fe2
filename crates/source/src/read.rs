//! Reading a source file, with specific errors for files that are not text.

use crate::Source;
use std::{fmt, fs, io, io::Read, path::Path};

/// Larger files are rejected: no real model, written or generated, comes near this size.
pub const MAX_FILE_BYTES: u64 = 16 << 20;

/// Why a file could not be read as a source text. Displays as a sentence.
#[derive(Debug)]
pub struct ReadError {
    path: String,
    kind: ReadErrorKind,
}

#[derive(Debug)]
enum ReadErrorKind {
    Io(io::Error),
    Directory,
    TooLarge,
    Binary,
    Utf16,
    NotUtf8 { line: usize, column: usize, byte: u8 },
}

impl Source {
    /// Reads a file of UTF-8 text; `-` is the standard input.
    pub fn read(path: &str) -> Result<Source, ReadError> {
        let fail = |kind| ReadError { path: path.to_owned(), kind };
        let bytes = if path == "-" { read_limited(io::stdin()) } else { read_file(Path::new(path)) };
        let text = bytes.and_then(decode).map_err(fail)?;
        Ok(Source::new(path, text))
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, ReadErrorKind> {
    let file = fs::File::open(path).map_err(ReadErrorKind::Io)?;
    let metadata = file.metadata().map_err(ReadErrorKind::Io)?;
    if metadata.is_dir() {
        return Err(ReadErrorKind::Directory);
    }
    if metadata.len() > MAX_FILE_BYTES {
        return Err(ReadErrorKind::TooLarge);
    }
    read_limited(file)
}

/// Reads no more than the limit, even if the size is not known in advance, as from a pipe.
fn read_limited(input: impl Read) -> Result<Vec<u8>, ReadErrorKind> {
    let mut bytes = Vec::new();
    input.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(ReadErrorKind::Io)?;
    if bytes.len() as u64 > MAX_FILE_BYTES { Err(ReadErrorKind::TooLarge) } else { Ok(bytes) }
}

fn decode(bytes: Vec<u8>) -> Result<String, ReadErrorKind> {
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        return Err(ReadErrorKind::Utf16);
    }
    if bytes.contains(&0) {
        return Err(ReadErrorKind::Binary);
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let byte = error.as_bytes()[valid];
        let before = String::from_utf8_lossy(&error.as_bytes()[..valid]);
        let line = before.matches('\n').count() + 1;
        let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
        ReadErrorKind::NotUtf8 { line, column, byte }
    })
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path == "-" { "the standard input" } else { &self.path };
        match &self.kind {
            ReadErrorKind::Io(error) if error.kind() == io::ErrorKind::NotFound => {
                write!(f, "there is no file `{path}`")
            }
            ReadErrorKind::Io(error) => write!(f, "cannot read `{path}`: {error}"),
            ReadErrorKind::Directory => write!(f, "`{path}` is a directory; name the files in it"),
            ReadErrorKind::TooLarge => {
                write!(f, "`{path}` is larger than {} MiB, which is the limit", MAX_FILE_BYTES >> 20)
            }
            ReadErrorKind::Binary => write!(f, "`{path}` is a binary file (it has a zero byte), not text"),
            ReadErrorKind::Utf16 => write!(f, "`{path}` is encoded in UTF-16; save it as UTF-8"),
            ReadErrorKind::NotUtf8 { line, column, byte } => write!(
                f,
                "`{path}` is not UTF-8 text: byte 0x{byte:02X} at line {line}, column {column}; save it as UTF-8"
            ),
        }
    }
}

impl std::error::Error for ReadError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(bytes: &[u8]) -> String {
        let kind = decode(bytes.to_vec()).unwrap_err();
        ReadError { path: "f.cub".into(), kind }.to_string()
    }

    #[test]
    fn what_is_no_text_is_refused_with_the_reason() {
        assert!(message(b"\x7fELF\0\0").contains("binary"));
        assert!(message(b"\xff\xfev\0").contains("UTF-16"));
        assert!(message(b"var X\n: \xe9t").contains("byte 0xE9 at line 2, column 3"));
    }

    #[test]
    fn missing_files_and_directories_are_told_apart() {
        assert!(Source::read("no/such/file.cub").unwrap_err().to_string().contains("there is no file"));
        assert!(Source::read(env!("CARGO_MANIFEST_DIR")).unwrap_err().to_string().contains("directory"));
    }

    #[test]
    fn an_endless_input_is_cut_off() {
        assert!(matches!(read_limited(io::repeat(b' ')), Err(ReadErrorKind::TooLarge)));
    }
}
