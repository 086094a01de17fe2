//! Detects features in the text of a model with plain layout.

use modelgen::Feature;

/// The text of a model, split into lines and tokens.
pub(crate) struct Text<'a> {
    source: &'a str,
    /// Everything except temporal properties, which have other operators.
    states: String,
}

const PROCESS_VARIABLES: &[&str] =
    &["i", "j", "k", "l", "m", "n", "p", "q", "r", "p1", "p2", "other", "z_1", "z_2", "q1", "q2", "r1", "r2"];

const ENDS: &[&str] = &["&&", "||", "=>", "<=>", "}"];

impl<'a> Text<'a> {
    pub(crate) fn new(source: &'a str) -> Self {
        let states = source.lines().filter(|line| !line.starts_with("ltl ")).collect::<Vec<_>>().join("\n");
        Self { source, states }
    }

    fn lines_of(&self, word: &str) -> Vec<&str> {
        let is_of = |line: &&str| line.split(' ').next() == Some(word);
        self.states.lines().filter(is_of).collect()
    }

    fn has(&self, part: &str) -> bool {
        self.states.contains(part)
    }

    fn declares(&self, types: &[&str], words: &[&str]) -> bool {
        let declared = |line: &str| types.iter().any(|ty| line.ends_with(&format!(" : {ty}")));
        words.iter().any(|word| self.lines_of(word).into_iter().any(declared))
    }

    /// The names declared with a type.
    fn names_of(&self, ty: &str) -> Vec<&str> {
        let ending = format!(" : {ty}");
        let lines = ["var", "array"].into_iter().flat_map(|word| self.lines_of(word));
        lines
            .filter(|line| line.ends_with(&ending))
            .filter_map(|line| line.split([' ', '[']).nth(1))
            .collect()
    }

    fn words_after_type(&self, wanted: fn(&[&str]) -> bool) -> bool {
        self.lines_of("type").into_iter().any(|line| wanted(&line.split(' ').collect::<Vec<_>>()))
    }

    /// Whether three consecutive tokens satisfy a condition, in lines selected by `line`.
    fn three(&self, line: fn(&str) -> bool, wanted: impl Fn(&str, &str, &str) -> bool) -> bool {
        self.states.lines().filter(|text| line(text)).any(|text| {
            let tokens = tokens(text);
            tokens.windows(3).any(|three| wanted(&three[0], &three[1], &three[2]))
        })
    }

    /// The left sides and values of all assignments.
    fn assignments(&self) -> Vec<(&str, &str)> {
        let statements = self.states.split(['\n', '{', '}']).flat_map(|line| line.split(";\n"));
        statements.filter_map(|statement| statement.split_once(" := ")).collect()
    }

    /// The text without the targets of assignments, which have their own feature.
    fn read_parts(&self) -> Vec<&str> {
        let mut parts: Vec<&str> = self.states.split(" := ").collect();
        let last = parts.pop();
        parts.into_iter().map(without_last_term).chain(last).collect()
    }

    fn transition_names(&self) -> Vec<&str> {
        self.lines_of("transition").into_iter().filter_map(|line| line.split(' ').nth(1)).collect()
    }
}

/// Words, numbers and operators.
fn tokens(text: &str) -> Vec<String> {
    let mut spaced = String::new();
    for c in text.chars() {
        if "(){}[],;@".contains(c) {
            spaced.extend([' ', c, ' ']);
        } else {
            spaced.push(c);
        }
    }
    spaced.split_whitespace().map(str::to_string).collect()
}

/// The text up to the blank before its last term; blanks inside brackets belong to the term.
fn without_last_term(text: &str) -> &str {
    let mut depth = 0;
    let start = text.rfind(|c: char| {
        depth += i32::from(c == ']') - i32::from(c == '[');
        depth == 0 && c.is_whitespace()
    });
    &text[..start.unwrap_or(0)]
}

fn is_process(token: &str) -> bool {
    PROCESS_VARIABLES.contains(&token) || token.starts_with('#')
}

fn starts_upper(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_uppercase())
}

fn starts_digit(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_digit())
}

fn any_line(_: &str) -> bool {
    true
}

/// Whether a feature occurs. Has no false positives, but may miss a feature that is hard to detect.
pub(crate) fn occurs(feature: Feature, text: &Text<'_>) -> bool {
    in_declarations(feature, text)
        .or_else(|| in_terms(feature, text))
        .or_else(|| in_formulas(feature, text))
        .or_else(|| in_items(feature, text))
        .or_else(|| in_transitions(feature, text))
        .or_else(|| in_threads(feature, text))
        .unwrap_or_else(|| in_source(feature, text))
}

fn in_declarations(feature: Feature, text: &Text<'_>) -> Option<bool> {
    const SYMBOLS: &[&str] = &["var", "array", "const", "weak"];
    Some(match feature {
        Feature::Enumerations => text.words_after_type(|w| w.get(2) == Some(&"=") && !w[3].starts_with('[')),
        Feature::Booleans => text.declares(&["bool"], SYMBOLS),
        Feature::Processes => text.declares(&["proc"], SYMBOLS),
        Feature::AbstractTypes => text.words_after_type(|w| w.len() == 2),
        Feature::Integers => text.declares(&["int"], SYMBOLS),
        Feature::Reals => text.declares(&["real"], SYMBOLS),
        Feature::Ranges => text.words_after_type(|w| w.get(3).is_some_and(|word| word.starts_with('['))),
        Feature::Constants => text.lines_of("const").iter().any(|line| !line.contains('[')),
        Feature::ConstantArrays => text.lines_of("const").iter().any(|line| line.contains('[')),
        Feature::Arrays => text.has("array "),
        Feature::Matrices => text.has("[proc, proc]"),
        Feature::ProcessConstants => text.has("number_procs "),
        Feature::Kinds => text.has(" < proc"),
        Feature::KindedVariables => {
            let kinds: Vec<&str> =
                text.lines_of("type").into_iter().filter(|l| l.ends_with("< proc")).collect();
            kinds.iter().any(|line| text.declares(&[line.split(' ').nth(1).unwrap_or("")], SYMBOLS))
        }
        Feature::Outsiders => text.three(
            |line| line.starts_with("init"),
            |left, operator, right| starts_upper(left) && operator == "<>" && is_process(right),
        ),
        _ => return None,
    })
}

fn in_terms(feature: Feature, text: &Text<'_>) -> Option<bool> {
    let sign = |token: &str| token == "+" || token == "-";
    Some(match feature {
        Feature::Arithmetic => text.three(any_line, |left, operator, right| {
            left != "SYS_PROCS"
                && sign(operator)
                && starts_digit(right)
                && !text.has(&format!("{operator} {right} *"))
        }),
        Feature::LinearSums => {
            text.three(any_line, |_, operator, right| sign(operator) && starts_upper(right))
        }
        Feature::Multiples => text.has(" * "),
        Feature::UnaryMinus => tokens(&text.states).iter().any(|t| t.len() > 1 && t.starts_with('-')),
        Feature::TermIndices => {
            text.read_parts().iter().any(|part| part.split('[').skip(1).any(starts_upper))
        }
        Feature::SysProcs => text.has("SYS_PROCS"),
        Feature::Counts => text.has("count("),
        Feature::Shares => ["1/2", "2/3", "1/3", "3/4"].iter().any(|share| text.has(share)),
        _ => return None,
    })
}

fn in_formulas(feature: Feature, text: &Text<'_>) -> Option<bool> {
    let orders = ["<", "<=", ">", ">="];
    Some(match feature {
        Feature::BoolAtoms => {
            let names = text.names_of("bool");
            text.three(any_line, |left, name, right| {
                (left == "not" || ENDS.contains(&left)) && names.contains(&name) && ENDS.contains(&right)
            })
        }
        Feature::Disjunction => {
            text.states.lines().any(|line| !line.starts_with("init") && line.contains(" || "))
        }
        Feature::Implication => text.has(" => "),
        Feature::Equivalence => text.has(" <=> "),
        Feature::Negation => text.has("not "),
        Feature::Conditionals => text.has("if "),
        Feature::CaseFormulas => text.has(" = case"),
        Feature::ProcessOrder => text.three(any_line, |left, operator, right| {
            is_process(left) && orders.contains(&operator) && is_process(right)
        }),
        Feature::ForallOther => text.has("forall_other "),
        Feature::ExistsOther => text.has("exists_other "),
        Feature::Quantifiers => text.has("forall ") || text.has("exists "),
        Feature::PairQuantifiers => text
            .three(any_line, |word, _, operator| (word == "forall" || word == "exists") && operator == "<>"),
        Feature::NestedQuantifiers => {
            let lines = ["unsafe", "invariant", "predicate"].into_iter().flat_map(|word| text.lines_of(word));
            lines.into_iter().any(|line| line.contains("forall") || line.contains("exists"))
        }
        _ => return None,
    })
}

fn in_items(feature: Feature, text: &Text<'_>) -> Option<bool> {
    let inits = text.lines_of("init");
    let properties = || ["unsafe", "invariant"].into_iter().flat_map(|word| text.lines_of(word));
    let item = |words: &[&str]| {
        let starts = |line: &str| words.contains(&line.split(' ').next().unwrap_or(""));
        text.states.lines().position(starts).unwrap_or(usize::MAX)
    };
    Some(match feature {
        Feature::Predicates => text.has("predicate "),
        Feature::FormulaArguments => {
            let names = text.lines_of("predicate").into_iter().filter_map(|l| l.split([' ', '(']).nth(1));
            names.into_iter().any(|name| {
                let start = format!("{name}(");
                text.states
                    .split(&start)
                    .skip(1)
                    .any(|call| call.split(')').next().is_some_and(|arguments| arguments.contains(" = ")))
            })
        }
        Feature::SeveralInits => inits.len() > 1,
        Feature::DisjunctiveInit => inits.iter().any(|line| line.contains(" || ")),
        Feature::OpenInit => text.three(
            |line| line.starts_with("init"),
            |_, operator, right| operator == "<=" || operator == "<>" && starts_upper(right),
        ),
        Feature::SeveralProperties => text.lines_of("unsafe").len() > 1,
        Feature::NamedProperties => {
            properties().any(|line| line.split(' ').nth(1).is_some_and(|word| !word.starts_with(['(', '{'])))
        }
        Feature::KindedProperties => {
            properties().any(|line| line.split('{').next().is_some_and(|head| head.contains(" : ")))
        }
        Feature::Invariants => !text.lines_of("invariant").is_empty(),
        // Assumptions come right after `init`, before the first property.
        Feature::Assumptions => item(&["invariant"]) < item(&["unsafe", "transition"]),
        Feature::Assumes => !text.lines_of("assume").is_empty(),
        Feature::Finals => !text.lines_of("final").is_empty(),
        Feature::Temporal => text.source.contains("ltl "),
        Feature::TakeAtoms => text.source.contains("TAKE "),
        _ => return None,
    })
}

fn in_transitions(feature: Feature, text: &Text<'_>) -> Option<bool> {
    let assigned = |cell: bool, wanted: &[&str]| {
        let fits = |(target, value): &(&str, &str)| {
            target.ends_with(']') == cell && wanted.iter().any(|start| value.starts_with(start))
        };
        text.assignments().iter().any(fits)
    };
    Some(match feature {
        Feature::Lets => text.has("let "),
        Feature::ArbitraryValues => assigned(false, &["?", "."]),
        Feature::UnboundedIntegers => text
            .names_of("int")
            .iter()
            .any(|name| text.has(&format!("{name} := ?")) || text.has(&format!("{name} := ."))),
        Feature::ArbitraryCells => assigned(true, &["?"]),
        Feature::GlobalCases => assigned(false, &["case"]),
        Feature::ArrayCases => assigned(true, &["case"]),
        Feature::MissingDefaults => {
            text.assignments().iter().any(|(_, value)| value.starts_with("case") && !value.contains("| _ :"))
        }
        Feature::ArmSeparators => text.has("; |"),
        Feature::TermTargets => text.assignments().iter().any(|(target, _)| {
            let index = target.rsplit('[').next().unwrap_or("");
            target.ends_with(']') && (starts_upper(index) || index.starts_with('#'))
        }),
        Feature::RepeatedNames => {
            let names = text.transition_names();
            names.iter().any(|name| names.iter().filter(|other| *other == name).count() > 1)
        }
        Feature::NoRequires => {
            let lines: Vec<&str> = text.states.lines().collect();
            lines.windows(2).any(|two| two[0].starts_with("transition") && two[1].starts_with('{'))
        }
        Feature::Actors => text.lines_of("transition").iter().any(|line| line.contains('[')),
        _ => return None,
    })
}

fn in_threads(feature: Feature, text: &Text<'_>) -> Option<bool> {
    const BOTH: &[&str] = &["var", "array"];
    Some(match feature {
        Feature::Locks => text.declares(&["lock"], BOTH),
        Feature::ReentrantLocks => text.declares(&["rlock"], BOTH),
        Feature::Conditions => text.declares(&["condition"], BOTH),
        Feature::Semaphores => text.declares(&["semaphore"], BOTH),
        Feature::LockArrays => text.declares(&["lock", "rlock", "condition", "semaphore"], &["array"]),
        Feature::LockState => {
            ["free(", "owner(", "waiting(", "sleeping(", "active("].iter().any(|word| text.has(word))
        }
        Feature::SemaphoreValues => {
            let names = text.names_of("semaphore");
            let elsewhere = |line: &str| !["init", "var", "array"].iter().any(|word| line.starts_with(word));
            text.three(elsewhere, |_, left, name| left != "(" && names.contains(&name))
        }
        Feature::PlainVariables => text.has("weak ") && !text.lines_of("var").is_empty(),
        Feature::UnfencedLoops => text.has("weak ") && unfenced_loop(text),
        Feature::Weak => text.has("weak ") || text.has("fence()") || text.has("@"),
        _ => return None,
    })
}

/// Whether some step of a program goes back without a fence. The guard of such a step begins with the program counter.
fn unfenced_loop(text: &Text<'_>) -> bool {
    let types = text.lines_of("type").into_iter();
    let orders: Vec<Vec<&str>> = types.map(|line| line.split([' ', '|', '=']).collect()).collect();
    let goes_back = |from: &str, to: &str| {
        let at = |order: &[&str], name| order.iter().position(|constructor| *constructor == name);
        orders.iter().any(|order| at(order, from).zip(at(order, to)).is_some_and(|(from, to)| to <= from))
    };
    text.states.split("transition ").skip(1).any(|step| {
        let Some((counter, rest)) =
            step.split_once("requires { ").and_then(|(_, rest)| rest.split_once(" = "))
        else {
            return false;
        };
        let from = rest.split_whitespace().next().unwrap_or("");
        let to = rest.split_once(&format!("{counter} := ")).map_or("", |(_, to)| to);
        let to = to.split([' ', ';']).next().unwrap_or("");
        !step.contains("fence()") && goes_back(from, to)
    })
}

/// Features of the layout.
fn in_source(feature: Feature, text: &Text<'_>) -> bool {
    match feature {
        Feature::Comments => text.source.contains("*)"),
        Feature::LineComments => text.source.contains(" //"),
        Feature::Layout => text.source.contains(['\t', '\r']),
        Feature::AnyOrder => {
            let found = |word: &str| text.source.find(word);
            let (types, inits) = (text.source.rfind("type "), found("init "));
            types.zip(inits).is_some_and(|(last, first)| last > first)
        }
        _ => unreachable!("{feature:?} has its place above"),
    }
}
