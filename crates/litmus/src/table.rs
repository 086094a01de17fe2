//! The table of instructions: a column for each process, a row for each step on the page.

use crate::{
    Instruction, Op,
    cursor::{Cursor, cover},
    flags,
    lexer::{Kind, Token},
    parser::Parser,
};
use source::{Diagnostic, Span, nearest};
use std::collections::BTreeMap;

/// A cell of the table: its tokens, and the `|` or `;` that ends it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell<'t> {
    tokens: &'t [Token],
    end: Span,
}

/// The words that may come after the table.
const QUESTIONS: [&str; 6] = ["exists", "forall", "locations", "filter", "not", "final"];

/// The labels of a thread: the position of the next instruction, and where the label is.
type Labels<'t> = BTreeMap<&'t str, (usize, Span)>;

impl<'t> Parser<'t, '_> {
    /// `P0 | P1 ;` and the rows after it, up to the condition.
    pub(crate) fn table(&mut self) -> Result<Vec<Vec<Instruction>>, Diagnostic> {
        let processes = self.processes()?;
        self.names.threads.resize_with(processes, Default::default);
        let mut columns: Vec<Vec<Cell<'t>>> = vec![vec![]; processes];
        while !self.at_question() {
            self.row(&mut columns)?;
        }
        Ok(columns.iter().enumerate().map(|(thread, cells)| self.thread(thread, cells)).collect())
    }

    fn processes(&mut self) -> Result<usize, Diagnostic> {
        let mut count = 0_usize;
        loop {
            let name = self.cursor.text();
            let at = self.cursor.expect(Kind::Word, "a process such as `P0`")?;
            if name != format!("P{count}") {
                return Err(Diagnostic::error("syntax", at, format!("expected `P{count}`, found `{name}`"))
                    .help("processes are numbered from P0 on, in order"));
            }
            count += 1;
            if self.cursor.eat(Kind::Semicolon) {
                return Ok(count);
            }
            self.cursor.expect(Kind::Bar, "`|` and the next process, or `;`")?;
        }
    }

    /// Whether the table has ended.
    fn at_question(&self) -> bool {
        match self.cursor.kind() {
            Kind::End | Kind::Not => true,
            Kind::Word => QUESTIONS.contains(&self.cursor.text()),
            _ => false,
        }
    }

    fn row(&mut self, columns: &mut [Vec<Cell<'t>>]) -> Result<(), Diagnostic> {
        let first = self.cursor.here();
        let mut count = 0;
        loop {
            let (tokens, kind, end) = self.cursor.take_until(&[Kind::Bar, Kind::Semicolon]);
            if kind == Kind::End {
                return Err(
                    Diagnostic::error("syntax", first, "this row has no end").help("rows end with `;`")
                );
            }
            if let Some(column) = columns.get_mut(count) {
                column.push(Cell { tokens, end });
            }
            count += 1;
            if kind == Kind::Semicolon {
                break;
            }
        }
        if count > columns.len() {
            let message = format!("this row has {count} cells, but there are {} processes", columns.len());
            self.errors.push(Diagnostic::error("syntax", cover(first, self.cursor.before()), message));
        }
        Ok(())
    }

    /// The instructions of a column. What is wrong with one does not keep others from being read.
    fn thread(&mut self, thread: usize, cells: &[Cell<'t>]) -> Vec<Instruction> {
        let mut labels = Labels::new();
        let mut read: Vec<(Instruction, Option<Span>)> = Vec::new();
        for cell in cells {
            let mut cursor = self.cursor.over(cell.tokens, cell.end);
            self.labels(&mut cursor, read.len(), &mut labels);
            if cursor.kind() == Kind::End {
                continue;
            }
            match self.instruction(&mut cursor, thread) {
                Ok(found) => read.push(found),
                Err(error) => {
                    self.errors.push(error);
                    // Labels after it keep their places.
                    read.push((Instruction { text: String::new(), op: Op::Skip }, None));
                }
            }
        }
        let jumps: Vec<Option<Span>> = read.iter().map(|(_, target)| *target).collect();
        let targets =
            read.into_iter().map(|(instruction, target)| self.with_target(instruction, target, &labels));
        let instructions: Vec<Instruction> = targets.collect();
        for jump in flags::undecided_jumps(&instructions) {
            let at = jumps[jump].unwrap_or(cells[0].end);
            let error =
                Diagnostic::error("unset-flag", at, "no instruction before this jump decides where it goes");
            self.errors.push(error.help("compare something first: `CMP EAX,$0`"));
        }
        instructions
    }

    /// `L0:` before an instruction, or alone.
    fn labels(&mut self, cursor: &mut Cursor<'t>, next: usize, labels: &mut Labels<'t>) {
        while cursor.kind() == Kind::Word && cursor.kind_after(1) == Kind::Colon {
            let (name, at) = (cursor.text(), cursor.here());
            if let Some((_, first)) = labels.insert(name, (next, at)) {
                let error =
                    Diagnostic::error("duplicate-label", at, format!("the label `{name}` is there twice"));
                self.errors.push(error.also(first, "first here"));
            }
            cursor.advance();
            cursor.advance();
        }
    }

    /// The instruction with the position that its jump goes to.
    fn with_target(
        &mut self,
        instruction: Instruction,
        target: Option<Span>,
        labels: &Labels<'t>,
    ) -> Instruction {
        let (Op::Jump(jump, _), Some(at)) = (instruction.op, target) else { return instruction };
        let name = self.cursor.slice(at);
        let Some((to, _)) = labels.get(name) else {
            let error =
                Diagnostic::error("unknown-label", at, format!("there is no label `{name}` in this process"));
            self.errors.push(error.did_you_mean(nearest(name, labels.keys().copied())));
            return instruction;
        };
        Instruction { op: Op::Jump(jump, *to), ..instruction }
    }
}
