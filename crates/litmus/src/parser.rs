//! From text to a test: the initial state, the table of instructions, what to observe, and the condition.

use crate::{
    Condition, Formula, Place, Program, Register, Test, cursor::Cursor, header, lexer::tokenize, names::Names,
};
use source::{Diagnostic, Source, Span};

/// Reads a litmus test, or says everything that is wrong with it.
pub fn parse(source: &Source) -> Result<Test, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let test = read(source.text(), &mut errors);
    errors.sort_by_key(|error| error.primary.span.start());
    match test {
        Some(test) if errors.is_empty() => Ok(test),
        _ => Err(errors),
    }
}

fn read(text: &str, errors: &mut Vec<Diagnostic>) -> Option<Test> {
    let header = header::read(text, errors)?;
    let (tokens, unknown) = tokenize(text, header.end);
    errors.extend(unknown);
    let mut parser = Parser { cursor: Cursor::new(text, &tokens), names: Names::default(), errors };
    let starts = parser.initial_state().map_err(|error| parser.errors.push(error)).ok()?;
    let threads = parser.table().map_err(|error| parser.errors.push(error)).ok()?;
    let broken = !parser.errors.is_empty();
    parser.initialise(starts);
    let (condition, mut observed) = parser.asked().map_err(|error| parser.errors.push(error)).ok()?;
    if broken {
        // An instruction that could not be read would have mentioned them, perhaps.
        parser.errors.retain(|error| !matches!(error.code, "unwritten-register" | "unknown-location"));
    }
    observed.extend(condition.formula.places());
    let unfit = parser.names.unfit();
    parser.errors.extend(unfit);
    let width = parser.names.width();
    let (locations, mut all) = parser.names.into_parts();
    for (thread, instructions) in all.iter_mut().zip(threads) {
        thread.instructions = instructions;
    }
    let program = Program { width, locations, threads: all };
    let condition = Condition { formula: wrapped(condition.formula, &program), ..condition };
    let observed = in_order(observed, &program);
    Some(Test { name: header.name, doc: header.doc, info: header.info, program, condition, observed })
}

/// Registers by thread, then locations by name, each once.
fn in_order(mut places: Vec<Place>, program: &Program) -> Vec<Place> {
    places.sort_by_key(|place| match *place {
        Place::Register(thread, register) => {
            (thread, Some(program.threads[thread].registers[register].0), "")
        }
        Place::Location(location) => (usize::MAX, None, program.locations[location].name.as_str()),
    });
    places.dedup();
    places
}

/// The numbers of a formula as locations and registers hold them.
fn wrapped(formula: Formula, program: &Program) -> Formula {
    let all = |parts: Vec<Formula>| parts.into_iter().map(|part| wrapped(part, program)).collect();
    match formula {
        Formula::Equals(place, number) => Formula::Equals(place, program.width.wrap(number)),
        Formula::Not(part) => Formula::Not(Box::new(wrapped(*part, program))),
        Formula::And(parts) => Formula::And(all(parts)),
        Formula::Or(parts) => Formula::Or(all(parts)),
        Formula::Truth(truth) => Formula::Truth(truth),
    }
}

/// The parser: everything that it knows so far.
pub(crate) struct Parser<'t, 'e> {
    pub(crate) cursor: Cursor<'t>,
    pub(crate) names: Names,
    pub(crate) errors: &'e mut Vec<Diagnostic>,
}

impl Parser<'_, '_> {
    /// A register by name. All have the same width.
    pub(crate) fn register(&mut self, name: &str, at: Span) -> Result<Register, Diagnostic> {
        let Some((register, width)) = Register::named(name) else {
            let error = Diagnostic::error("unknown-register", at, format!("there is no register `{name}`"));
            return Err(if Register::is_unsupported(name) {
                error.label("only registers of 32 bits (EAX, R8D) or of 64 bits (RAX, R8)")
            } else {
                error.help("the registers are EAX, EBX, ECX, EDX, ESI, EDI, EBP, ESP and R8D to R15D; RAX, R8 and so on")
            });
        };
        self.names.width_of(width, at)?;
        Ok(register)
    }
}
