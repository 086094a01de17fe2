//! The functions that every protocol knows.

use super::{
    EvaluationError, Evaluator, Value, evaluation::Evaluated, number::Number, pattern::replace_first,
};
use source::Span;
use std::{cmp::Ordering, collections::BTreeSet, rc::Rc};

/// Names with the least and the most number of values that they take.
pub(crate) const BUILTINS: &[(&str, usize, usize)] = &[
    ("+", 0, MANY),
    ("-", 1, MANY),
    ("*", 0, MANY),
    ("/", 1, MANY),
    ("inc", 1, 1),
    ("dec", 1, 1),
    ("mod", 2, 2),
    ("quot", 2, 2),
    ("=", 1, MANY),
    ("not=", 1, MANY),
    ("<", 1, MANY),
    (">", 1, MANY),
    ("<=", 1, MANY),
    (">=", 1, MANY),
    ("not", 1, 1),
    ("range", 1, 3),
    ("list", 0, MANY),
    ("set", 1, 1),
    ("remove", 2, 2),
    ("filter", 2, 2),
    ("disj", 1, MANY),
    ("conj", 1, MANY),
    ("contains?", 2, 2),
    ("get", 2, 3),
    ("assoc", 3, MANY),
    ("keys", 1, 1),
    ("count", 1, 1),
    ("empty?", 1, 1),
    ("some?", 1, 1),
    ("power-set", 1, 1),
    ("difference", 1, MANY),
    ("union", 0, MANY),
    ("str", 0, MANY),
    ("ceil", 1, 1),
    ("floor", 1, 1),
    ("sqrt", 1, 1),
    ("long", 1, 1),
    ("int", 1, 1),
    ("Math/ceil", 1, 1),
    ("Math/floor", 1, 1),
    ("Math/sqrt", 1, 1),
    ("Long/parseLong", 1, 2),
    ("Long/toBinaryString", 1, 1),
    (".replaceFirst", 3, 3),
];

const MANY: usize = usize::MAX;

/// Whether every protocol knows a function.
pub(crate) fn is_builtin(name: &str) -> bool {
    BUILTINS.iter().any(|(known, ..)| *known == name)
}

/// Whether the value of a function is whole whatever it is given.
pub(super) fn rounds(name: &str) -> bool {
    matches!(name, "ceil" | "floor" | "long" | "int" | "Math/ceil" | "Math/floor")
}

pub(super) fn is_root(name: &str) -> bool {
    matches!(name, "sqrt" | "Math/sqrt")
}

/// A square root, rounded up or down.
pub(super) fn rounded_root(rounding: &str, of: &Value, span: Span) -> Evaluated {
    let Value::Integer(of @ 0..) = of else {
        return Err(EvaluationError::new(span, format!("{of} has no square root here")));
    };
    let root = of.isqrt();
    let up = matches!(rounding, "ceil" | "Math/ceil") && root * root != *of;
    Ok(Value::Integer(root + i64::from(up)))
}

/// Calls a function.
pub(super) fn call(evaluator: &mut Evaluator<'_>, name: &Rc<str>, args: Vec<Value>, span: Span) -> Evaluated {
    let call = Call { evaluator, name, span };
    call.value(args)
}

struct Call<'c, 'f> {
    evaluator: &'c mut Evaluator<'f>,
    name: &'c Rc<str>,
    span: Span,
}

impl Call<'_, '_> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T, EvaluationError> {
        Err(EvaluationError::new(self.span, message))
    }

    fn value(mut self, args: Vec<Value>) -> Evaluated {
        let Some((_, least, most)) = BUILTINS.iter().find(|(known, ..)| *known == &**self.name) else {
            return self.error(format!("there is no function `{}` of {} values", self.name, args.len()));
        };
        if args.len() < *least || args.len() > *most {
            return self.error(format!("`{}` does not take {} values", self.name, args.len()));
        }
        match &**self.name {
            "+" | "-" | "*" | "/" | "inc" | "dec" | "mod" | "quot" | "ceil" | "floor" | "sqrt" | "long"
            | "int" | "Math/ceil" | "Math/floor" | "Math/sqrt" => self.arithmetic(&args),
            "=" => Ok(Value::Boolean(args.windows(2).all(|pair| pair[0] == pair[1]))),
            "not=" => Ok(Value::Boolean(!args.windows(2).all(|pair| pair[0] == pair[1]))),
            "<" | ">" | "<=" | ">=" => self.compare(&args),
            "not" => Ok(Value::Boolean(!args[0].is_true())),
            "some?" => Ok(Value::Boolean(args[0] != Value::Nil)),
            "str" => self.concatenated(&args),
            "Long/parseLong" => self.parse_long(&args),
            "Long/toBinaryString" => Ok(Value::Text(format!("{:b}", self.integer(&args[0])?).into())),
            ".replaceFirst" => self.replaced(&args),
            "range" => self.range(&args),
            "list" => Ok(Value::List(args)),
            "power-set" => self.power_set(&args[0]),
            "filter" | "remove" => self.filtered(&args),
            _ => self.collection(&args),
        }
    }

    fn integer(&self, value: &Value) -> Result<i64, EvaluationError> {
        match value {
            Value::Integer(value) => Ok(*value),
            other => self.error(format!("`{}` needs an integer, and {other} is {}", self.name, other.kind())),
        }
    }

    fn number(&self, value: &Value) -> Result<Number, EvaluationError> {
        match Number::of(value) {
            Some(number) => Ok(number),
            None => self.error(format!("`{}` needs a number, and {value} is {}", self.name, value.kind())),
        }
    }

    fn arithmetic(&self, args: &[Value]) -> Evaluated {
        let numbers = args.iter().map(|value| self.number(value)).collect::<Result<Vec<_>, _>>()?;
        let one = Number::of(&Value::Integer(1)).expect("an integer is a number");
        let zero = one.plus(one.negated());
        let mut result = match (&**self.name, &numbers[..]) {
            ("*", _) | ("/", [_]) => one,
            ("+", _) | ("-", [_]) | (_, []) => zero,
            (_, [first, ..]) => *first,
        };
        let from = usize::from(numbers.len() > 1 && matches!(&**self.name, "-" | "/"));
        match &**self.name {
            "inc" => result = result.plus(one),
            "dec" => result = result.plus(one.negated()),
            "ceil" | "Math/ceil" => result = result.ceiling(),
            "floor" | "Math/floor" => result = result.floor(),
            "long" | "int" => result = result.truncated(),
            "sqrt" | "Math/sqrt" => return self.whole_root(&args[0]),
            "mod" | "quot" => {
                let Some(quotient) = result.over(numbers[1]) else { return self.error("division by zero") };
                let whole = if &**self.name == "quot" { quotient.truncated() } else { quotient.floor() };
                let multiple = self.fits(whole)?;
                let rest = result.plus(numbers[1].times(multiple).negated());
                result = if &**self.name == "quot" { whole } else { rest };
            }
            _ => {
                for number in &numbers[from..] {
                    result = match &**self.name {
                        "+" => result.plus(*number),
                        "-" => result.plus(number.negated()),
                        "*" => result.times(*number),
                        _ => match result.over(*number) {
                            Some(quotient) => quotient,
                            None => return self.error("division by zero"),
                        },
                    };
                    result = self.fits(result)?;
                }
            }
        }
        match result.value() {
            Some(value) => Ok(value),
            None => self.error("this number does not fit into 64 bits"),
        }
    }

    /// A number, if it fits into 64 bits.
    fn fits(&self, number: Number) -> Result<Number, EvaluationError> {
        match number.value() {
            Some(_) => Ok(number),
            None => self.error("this number does not fit into 64 bits"),
        }
    }

    fn whole_root(&self, of: &Value) -> Evaluated {
        match of {
            Value::Integer(of @ 0..) if of.isqrt() * of.isqrt() == *of => Ok(Value::Integer(of.isqrt())),
            other => self.error(format!(
                "the square root of {other} is not whole; round it at once: `(ceil (sqrt …))` or `(long (sqrt …))`"
            )),
        }
    }

    fn compare(&self, args: &[Value]) -> Evaluated {
        let numbers = args.iter().map(|value| self.number(value)).collect::<Result<Vec<_>, _>>()?;
        let fits = |order: Ordering| match &**self.name {
            "<" => order == Ordering::Less,
            ">" => order == Ordering::Greater,
            "<=" => order != Ordering::Greater,
            _ => order != Ordering::Less,
        };
        Ok(Value::Boolean(numbers.windows(2).all(|pair| fits(pair[0].compare(pair[1])))))
    }

    fn text<'v>(&self, value: &'v Value) -> Result<&'v str, EvaluationError> {
        match value {
            Value::Text(text) => Ok(text),
            other => self.error(format!("`{}` needs a string, and {other} is {}", self.name, other.kind())),
        }
    }

    fn concatenated(&mut self, args: &[Value]) -> Evaluated {
        let text: String = args.iter().map(Value::plain).collect();
        self.evaluator.spend(text.len() / 16)?;
        Ok(Value::Text(text.into()))
    }

    fn parse_long(&self, args: &[Value]) -> Evaluated {
        let text = self.text(&args[0])?;
        let radix = args.get(1).map_or(Ok(10), |radix| self.integer(radix))?;
        let radix = u32::try_from(radix).ok().filter(|radix| (2..=36).contains(radix));
        let number = radix.and_then(|radix| i64::from_str_radix(text, radix).ok());
        number.map_or_else(|| self.error(format!("{text:?} is not a number")), |it| Ok(Value::Integer(it)))
    }

    fn replaced(&self, args: &[Value]) -> Evaluated {
        let (text, pattern) = (self.text(&args[0])?, self.text(&args[1])?);
        match replace_first(text, pattern, self.text(&args[2])?) {
            Some(text) => Ok(Value::Text(text.into())),
            None => self.error(format!("patterns have letters, `.`, `^` and `$` here; {pattern:?} has more")),
        }
    }

    fn range(&mut self, args: &[Value]) -> Evaluated {
        let numbers = args.iter().map(|value| self.integer(value)).collect::<Result<Vec<_>, _>>()?;
        let (start, end, step) = match numbers[..] {
            [end] => (0, end, 1),
            [start, end] => (start, end, 1),
            _ => (numbers[0], numbers[1], numbers[2]),
        };
        let mut items = Vec::new();
        let mut at = start;
        while step > 0 && at < end || step < 0 && at > end {
            self.evaluator.spend(1)?;
            items.push(Value::Integer(at));
            let Some(next) = at.checked_add(step) else { break };
            at = next;
        }
        if step == 0 {
            return self.error("a range with steps of 0 does not end");
        }
        Ok(Value::List(items))
    }

    fn elements(&mut self, value: &Value) -> Result<Vec<Value>, EvaluationError> {
        self.evaluator.spend(value.size())?;
        match value.elements() {
            Some(items) => Ok(items),
            None => {
                self.error(format!("`{}` needs a collection, and {value} is {}", self.name, value.kind()))
            }
        }
    }

    fn power_set(&mut self, value: &Value) -> Evaluated {
        let items: BTreeSet<Value> = self.elements(value)?.into_iter().collect();
        let mut subsets: Vec<BTreeSet<Value>> = vec![BTreeSet::new()];
        for item in items {
            self.evaluator.spend(subsets.iter().map(|subset| subset.len() + 1).sum())?;
            let with = subsets.iter().map(|subset| subset.iter().cloned().chain([item.clone()]).collect());
            let with: Vec<BTreeSet<Value>> = with.collect();
            subsets.extend(with);
        }
        Ok(Value::Set(subsets.into_iter().map(Value::Set).collect()))
    }

    fn filtered(&mut self, args: &[Value]) -> Evaluated {
        let keep = &**self.name == "filter";
        let mut kept = Vec::new();
        for item in self.elements(&args[1])? {
            if self.evaluator.apply(&args[0], vec![item.clone()], self.span)?.is_true() == keep {
                kept.push(item);
            }
        }
        Ok(Value::List(kept))
    }

    /// Functions whose first value is a collection.
    fn collection(&mut self, args: &[Value]) -> Evaluated {
        let Some((first, others)) = args.split_first() else { return Ok(Value::Set(BTreeSet::new())) };
        let items = if let (Value::Text(text), "count" | "empty?") = (first, &**self.name) {
            text.chars().map(|letter| Value::Text(letter.to_string().into())).collect()
        } else {
            self.elements(first)?
        };
        match &**self.name {
            "count" => Ok(Value::Integer(i64::try_from(items.len()).unwrap_or(i64::MAX))),
            "empty?" => Ok(Value::Boolean(items.is_empty())),
            "set" => Ok(Value::Set(items.into_iter().collect())),
            "keys" => match first {
                Value::Map(entries) => Ok(Value::List(entries.keys().cloned().collect())),
                other => self.error(format!("`keys` needs a map, and {other} is {}", other.kind())),
            },
            "contains?" => Ok(Value::Boolean(find(first, &others[0]).is_some())),
            "get" => {
                let default = others.get(1).cloned().unwrap_or(Value::Nil);
                Ok(find(first, &others[0]).unwrap_or(default))
            }
            "conj" => Ok(match first {
                Value::Set(_) => Value::Set(items.into_iter().chain(others.iter().cloned()).collect()),
                _ => Value::List(items.into_iter().chain(others.iter().cloned()).collect()),
            }),
            "assoc" => self.associated(first, others),
            "disj" => Ok(Value::Set(items.into_iter().filter(|item| !others.contains(item)).collect())),
            "difference" => {
                let mut set: BTreeSet<Value> = items.into_iter().collect();
                for other in others {
                    let removed = self.elements(other)?;
                    set.retain(|item| !removed.contains(item));
                }
                Ok(Value::Set(set))
            }
            _ => {
                let mut set: BTreeSet<Value> = items.into_iter().collect();
                for other in others {
                    set.extend(self.elements(other)?);
                }
                Ok(Value::Set(set))
            }
        }
    }

    fn associated(&self, first: &Value, pairs: &[Value]) -> Evaluated {
        if !pairs.len().is_multiple_of(2) {
            return self.error("`assoc` needs a value for each key");
        }
        match first {
            Value::Map(entries) => {
                let mut entries = entries.clone();
                pairs.chunks(2).for_each(|pair| drop(entries.insert(pair[0].clone(), pair[1].clone())));
                Ok(Value::Map(entries))
            }
            Value::Nil => self.associated(&Value::Map([].into()), pairs),
            other => self.error(format!("`assoc` needs a map, and {other} is {}", other.kind())),
        }
    }
}

/// What a collection has at a key.
fn find(collection: &Value, key: &Value) -> Option<Value> {
    match (collection, key) {
        (Value::Set(items), key) => items.contains(key).then(|| key.clone()),
        (Value::Map(entries), key) => entries.get(key).cloned(),
        (Value::List(items), Value::Integer(at)) => {
            usize::try_from(*at).ok().and_then(|at| items.get(at)).cloned()
        }
        _ => None,
    }
}
