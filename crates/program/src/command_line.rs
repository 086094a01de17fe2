//! The command line of a compiler, read closely enough to compile with instrumentation and to link without it.

use std::{
    ffi::{OsStr, OsString},
    fs,
    path::Path,
};

/// What a call of the compiler is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Ends before linking: `-c`, `-S`, `-E`, `-M`, `-fsyntax-only`.
    Compile,
    /// Makes an executable or a shared library.
    Link { shared: bool },
    /// Joins objects into one (`-r`).
    Join,
    /// Has no input: `--version`, `-print-file-name=…`.
    Ask,
}

/// One argument, or an option together with its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Argument {
    /// A file to compile; with the language, if one was given before it.
    Source { file: OsString, language: Option<OsString> },
    /// An object or a library.
    Object(OsString),
    /// `-o FILE`
    Output(OsString),
    /// `-x LANGUAGE`
    Language(OsString),
    /// Any other option with its value.
    Other(Vec<OsString>),
}

/// A command line in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CommandLine {
    pub(crate) arguments: Vec<Argument>,
    pub(crate) purpose: Purpose,
    /// Whether a static executable is asked for.
    pub(crate) is_static: bool,
}

/// Options whose value is the next argument.
const WITH_VALUE: [&str; 37] = [
    "-D",
    "-U",
    "-I",
    "-L",
    "-l",
    "-F",
    "-T",
    "-u",
    "-z",
    "-A",
    "-B",
    "-MF",
    "-MT",
    "-MQ",
    "-MJ",
    "-include",
    "-imacros",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-isystem",
    "-isysroot",
    "-iquote",
    "-imultilib",
    "-aux-info",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-mllvm",
    "--param",
    "-wrapper",
    "-target",
];

/// Options that end before linking.
const COMPILING: [&str; 6] = ["-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"];

/// The endings of files to compile.
const SOURCES: [&str; 22] = [
    "c", "i", "ii", "m", "mi", "mm", "cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "h", "hh", "hpp", "s", "S",
    "sx", "f", "f90", "cppm",
];

/// Whether a file is one to compile, by its name.
pub(crate) fn is_source(file: &OsStr) -> bool {
    let ending = Path::new(file).extension().and_then(OsStr::to_str);
    ending.is_some_and(|ending| SOURCES.contains(&ending))
}

/// Whether a file is one of C++, by its name.
pub(crate) fn is_cpp(file: &OsStr) -> bool {
    let ending = Path::new(file).extension().and_then(OsStr::to_str);
    ending.is_some_and(|ending| ["cc", "cp", "cxx", "cpp", "CPP", "c++", "C", "ii"].contains(&ending))
}

impl CommandLine {
    /// Reads a command line. Response files (`@FILE`) are read in place.
    pub(crate) fn read(arguments: &[OsString]) -> CommandLine {
        let mut all = Vec::new();
        expand(arguments, &mut all, 0);
        let mut reader = Reader { rest: all.into_iter(), language: None, arguments: Vec::new() };
        while reader.next() {}
        let arguments = reader.arguments;
        let purpose = purpose(&arguments);
        let is_static =
            has(&arguments, "-static") || has(&arguments, "--static") || has(&arguments, "-static-pie");
        CommandLine { arguments, purpose, is_static }
    }

    /// The files to compile, each with its place among the arguments.
    pub(crate) fn sources(&self) -> impl Iterator<Item = (usize, &OsString, Option<&OsString>)> {
        self.arguments.iter().enumerate().filter_map(|(at, argument)| match argument {
            Argument::Source { file, language } => Some((at, file, language.as_ref())),
            _ => None,
        })
    }

    /// All arguments but inputs and the output: what each file of several is compiled with.
    pub(crate) fn options(&self) -> Vec<OsString> {
        let others = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Other(words) => Some(words),
            _ => None,
        });
        others.flatten().cloned().collect()
    }

    /// All arguments for linking, with an object in place of each source.
    pub(crate) fn linking(&self, mut object: impl FnMut(usize) -> OsString) -> Vec<OsString> {
        let mut words = Vec::new();
        for (at, argument) in self.arguments.iter().enumerate() {
            match argument {
                Argument::Source { .. } => words.push(object(at)),
                Argument::Object(file) => words.push(file.clone()),
                Argument::Output(file) => words.extend(["-o".into(), file.clone()]),
                // Everything that is left is an object or a library.
                Argument::Language(_) => {}
                Argument::Other(option) => {
                    words.extend(option.iter().filter_map(|word| without_sanitizer(word)));
                }
            }
        }
        words
    }
}

/// The sanitizer's own runtime must not be linked: ours takes its place.
fn without_sanitizer(word: &OsStr) -> Option<OsString> {
    let Some(list) = word.to_str().and_then(|word| word.strip_prefix("-fsanitize=")) else {
        return Some(word.to_owned());
    };
    let others: Vec<&str> = list.split(',').filter(|one| *one != "thread").collect();
    (!others.is_empty()).then(|| format!("-fsanitize={}", others.join(",")).into())
}

struct Reader {
    rest: std::vec::IntoIter<OsString>,
    /// The language that `-x` sets for what follows.
    language: Option<OsString>,
    arguments: Vec<Argument>,
}

impl Reader {
    /// Reads the next argument; whether there is one.
    fn next(&mut self) -> bool {
        let Some(word) = self.rest.next() else { return false };
        let argument = match word.to_str() {
            Some("-o") => Argument::Output(self.rest.next().unwrap_or_default()),
            Some("-x") => {
                let language = self.rest.next().unwrap_or_default();
                self.set_language(&language);
                Argument::Language(language)
            }
            Some(option) if WITH_VALUE.contains(&option) => {
                let value = self.rest.next();
                Argument::Other(std::iter::once(word).chain(value).collect())
            }
            Some(option) if option.len() > 2 && option.starts_with("-o") => {
                Argument::Output(option[2..].into())
            }
            Some(option) if option.len() > 2 && option.starts_with("-x") => {
                let language = OsString::from(&option[2..]);
                self.set_language(&language);
                Argument::Language(language)
            }
            Some(option) if option.len() > 1 && option.starts_with('-') => Argument::Other(vec![word]),
            _ => self.input(word),
        };
        self.arguments.push(argument);
        true
    }

    fn set_language(&mut self, language: &OsStr) {
        self.language = (language != "none").then(|| language.to_owned());
    }

    fn input(&self, file: OsString) -> Argument {
        if self.language.is_some() || file == "-" || is_source(&file) {
            Argument::Source { file, language: self.language.clone() }
        } else {
            Argument::Object(file)
        }
    }
}

fn has(arguments: &[Argument], option: &str) -> bool {
    arguments.iter().any(|argument| matches!(argument, Argument::Other(words) if words[0] == option))
}

fn purpose(arguments: &[Argument]) -> Purpose {
    let is_input = |argument: &Argument| matches!(argument, Argument::Source { .. } | Argument::Object(_));
    let shared = has(arguments, "-shared") || has(arguments, "--shared");
    if !arguments.iter().any(is_input) || has(arguments, "-###") {
        Purpose::Ask
    } else if COMPILING.iter().any(|option| has(arguments, option)) || makes_header(arguments) {
        Purpose::Compile
    } else if has(arguments, "-r") {
        Purpose::Join
    } else {
        Purpose::Link { shared }
    }
}

/// Whether all inputs are headers, which are precompiled.
fn makes_header(arguments: &[Argument]) -> bool {
    let mut inputs = arguments.iter().filter_map(|argument| match argument {
        Argument::Source { file, .. } | Argument::Object(file) => Some(file),
        _ => None,
    });
    let ending = |file: &OsString| Path::new(file).extension().and_then(OsStr::to_str).map(str::to_owned);
    inputs.all(|file| ending(file).is_some_and(|ending| ["h", "hh", "hpp"].contains(&ending.as_str())))
}

/// Response files may contain others; a cycle ends here.
const DEEPEST: usize = 16;

/// Replaces `@FILE` by the arguments in the file, if it can be read.
fn expand(arguments: &[OsString], all: &mut Vec<OsString>, depth: usize) {
    for argument in arguments {
        let file = argument.to_str().and_then(|text| text.strip_prefix('@'));
        match file.filter(|_| depth < DEEPEST).and_then(|file| fs::read_to_string(file).ok()) {
            Some(text) => expand(&split(&text), all, depth + 1),
            None => all.push(argument.clone()),
        }
    }
}

/// The arguments in a response file: words with quotes and backslashes, as compilers read them.
fn split(text: &str) -> Vec<OsString> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, quote) {
            ('\\', _) => word.get_or_insert_default().extend(letters.next()),
            ('"' | '\'', None) => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            (letter, Some(open)) if letter == open => quote = None,
            (letter, None) if letter.is_whitespace() => words.extend(word.take().map(OsString::from)),
            (letter, _) => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word.map(OsString::from));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> CommandLine {
        CommandLine::read(&text.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    fn linking(text: &str) -> String {
        let words = read(text).linking(|at| format!("{at}.o").into());
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn purposes_are_told_apart() {
        use Purpose::*;
        for (text, purpose) in [
            ("-c a.c -o a.o", Compile),
            ("-E a.c", Compile),
            ("-MM a.c", Compile),
            ("-MD -MF a.d a.c", Link { shared: false }),
            ("-S -O2 a.c", Compile),
            ("a.c -o a", Link { shared: false }),
            ("-shared a.o -o liba.so", Link { shared: true }),
            ("-r a.o b.o -o c.o", Join),
            ("--version", Ask),
            ("-print-file-name=crt1.o", Ask),
            ("-o x.c -I c.c", Ask),
            ("a.h -o a.h.gch", Compile),
            ("-", Link { shared: false }),
        ] {
            assert_eq!(read(text).purpose, purpose, "{text}");
        }
        assert!(read("-static a.o").is_static && !read("a.o -lstatic").is_static);
    }

    #[test]
    fn values_of_options_are_no_inputs() {
        let line = read("-D x.c -include y.c -Ifoo -Xlinker z.c -l m a.c -oout");
        let sources: Vec<_> = line.sources().map(|(_, file, _)| file.clone()).collect();
        assert_eq!(sources, ["a.c"]);
        assert!(line.arguments.contains(&Argument::Output("out".into())));
        assert_eq!(line.options(), ["-D", "x.c", "-include", "y.c", "-Ifoo", "-Xlinker", "z.c", "-l", "m"]);
    }

    #[test]
    fn objects_take_the_places_of_sources() {
        assert_eq!(linking("a.c -Llib b.o -lm -o out"), "0.o -Llib b.o -lm -o out");
        assert_eq!(linking("-x c a.txt -x none b.o"), "1.o b.o");
        assert_eq!(linking("-xc++ - -o a"), "1.o -o a");
    }

    #[test]
    fn languages_last_until_the_next_one() {
        let line = read("-x c a.txt b.o -x none c.o d.c");
        let sources: Vec<_> =
            line.sources().map(|(_, file, language)| (file.clone(), language.is_some())).collect();
        assert_eq!(sources, [("a.txt".into(), true), ("b.o".into(), true), ("d.c".into(), false)]);
    }

    #[test]
    fn the_sanitizers_own_runtime_is_not_linked() {
        assert_eq!(linking("-fsanitize=thread a.o"), "a.o");
        assert_eq!(linking("-fsanitize=undefined,thread a.o"), "-fsanitize=undefined a.o");
        assert_eq!(linking("-fsanitize=undefined a.o"), "-fsanitize=undefined a.o");
    }

    #[test]
    fn response_files_are_read() {
        assert_eq!(
            split("a.c 'b c.c'  \"d\\\"e\" f\\ g\n-O2 ''"),
            ["a.c", "b c.c", "d\"e", "f g", "-O2", ""]
        );
        let folder = tempfile::tempdir().unwrap();
        let (one, two) = (folder.path().join("one"), folder.path().join("two"));
        fs::write(&one, format!("-c @{}", two.display())).unwrap();
        fs::write(&two, format!("a.c @{}", two.display())).unwrap();
        let line = CommandLine::read(&[format!("@{}", one.display()).into()]);
        assert_eq!(line.purpose, Purpose::Compile);
        assert_eq!(CommandLine::read(&["@nothing".into()]).arguments, [Argument::Object("@nothing".into())]);
    }
}
