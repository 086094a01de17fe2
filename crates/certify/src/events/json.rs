//! Certificates as JSON, with the names of the model; processes and instants are numbered from 0.

use super::certificate::{Certificate, Cube, Instant, Literal, Location, Value, Variable, Who};
use ir::{Model, OutsiderId, Sort, SymbolId};
use serde_json::{Value as Json, json};

impl Certificate {
    /// The certificate as JSON, with the names of its model.
    ///
    /// # Panics
    /// If it mentions a symbol that the model does not have.
    pub fn to_json(&self, model: &Model) -> Json {
        let writer = Writer { model };
        json!({ "cubes": self.cubes.iter().map(|cube| writer.cube(cube)).collect::<Vec<_>>() })
    }

    /// Reads what [`Certificate::to_json`] has written. Whether the certificate makes sense is for the checker to say.
    pub fn from_json(model: &Model, json: &Json) -> Result<Certificate, String> {
        let reader = Reader { model };
        Ok(Certificate { cubes: list(json, "cubes", |json| reader.cube(json))? })
    }
}

struct Writer<'m> {
    model: &'m Model,
}

impl Writer<'_> {
    fn cube(&self, cube: &Cube) -> Json {
        json!({
            "processes": cube.processes,
            "literals": cube.literals.iter().map(|literal| self.literal(literal)).collect::<Vec<_>>(),
            "instants": cube.instants.iter().map(|instant| self.instant(instant)).collect::<Vec<_>>(),
        })
    }

    fn instant(&self, instant: &Instant) -> Json {
        let steps = match &instant.after_steps {
            Who::Everybody => json!("everybody"),
            Who::Only(processes) => json!(processes),
        };
        let locations = instant.after_writes_to.iter().map(|location| self.location(location));
        json!({
            "before": instant.before,
            "after_steps": steps,
            "after_writes": instant.after_writes,
            "after_writes_to": locations.collect::<Vec<_>>(),
        })
    }

    fn location(&self, location: &Location) -> Json {
        json!({ "symbol": self.model.symbol(location.symbol).name, "indices": location.indices })
    }

    fn variable(&self, variable: &Variable) -> Json {
        let mut json = self.location(variable.location());
        if let Variable::Read { instant, reader, .. } = variable {
            json["instant"] = json!(instant);
            json["reader"] = json!(reader);
        }
        json
    }

    fn literal(&self, literal: &Literal) -> Json {
        match literal {
            Literal::OneOf(variable, values) => {
                let sort = self.model.symbol(variable.location().symbol).sort;
                let values: Vec<Json> = values.iter().map(|value| self.value(sort, *value)).collect();
                json!({ "variable": self.variable(variable), "values": values })
            }
            Literal::Same(left, right) => json!({ "same": [self.variable(left), self.variable(right)] }),
            Literal::Differ(left, right) => json!({ "differ": [self.variable(left), self.variable(right)] }),
            Literal::AtMost { terms, constant, strict } => {
                let term = |(factor, variable): &(i64, Variable)| json!([factor, self.variable(variable)]);
                let terms: Vec<Json> = terms.iter().map(term).collect();
                json!({ "terms": terms, "constant": constant, "strict": strict })
            }
        }
    }

    fn value(&self, sort: Sort, value: Value) -> Json {
        match (value, sort) {
            (Value::Constructor(at), Sort::Enum(id)) => {
                json!(self.model.enums[id.index()].constructors.get(at as usize))
            }
            (Value::Constructor(at), _) => json!({ "constructor": at }),
            (Value::Process(process), _) => json!({ "process": process }),
            (Value::Elsewhere, _) => json!("elsewhere"),
            (Value::Outsider(id), _) => json!({ "outsider": id.0 }),
        }
    }
}

struct Reader<'m> {
    model: &'m Model,
}

type Read<T> = Result<T, String>;

impl Reader<'_> {
    fn cube(&self, json: &Json) -> Read<Cube> {
        Ok(Cube {
            processes: number(&json["processes"])?,
            literals: list(json, "literals", |json| self.literal(json))?,
            instants: list(json, "instants", |json| self.instant(json))?,
        })
    }

    fn instant(&self, json: &Json) -> Read<Instant> {
        let after_steps = match json["after_steps"].as_str() {
            Some("everybody") => Who::Everybody,
            _ => Who::Only(list(json, "after_steps", number)?),
        };
        Ok(Instant {
            before: list(json, "before", position)?,
            after_steps,
            after_writes: list(json, "after_writes", number)?,
            after_writes_to: list(json, "after_writes_to", |json| self.location(json))?,
        })
    }

    fn location(&self, json: &Json) -> Read<Location> {
        let name = json["symbol"].as_str().ok_or("`symbol` is not a name")?;
        let symbol = self.model.symbols.iter().position(|symbol| symbol.name == name);
        let symbol = symbol.ok_or_else(|| format!("the model has no symbol `{name}`"))?;
        Ok(Location { symbol: SymbolId::from_index(symbol), indices: list(json, "indices", number)? })
    }

    fn variable(&self, json: &Json) -> Read<Variable> {
        let location = self.location(json)?;
        if json.get("instant").is_none() {
            return Ok(Variable::Cell(location));
        }
        Ok(Variable::Read {
            instant: position(&json["instant"])?,
            reader: number(&json["reader"])?,
            location,
        })
    }

    fn literal(&self, json: &Json) -> Read<Literal> {
        let pair =
            |field: &str| Ok::<_, String>((self.variable(&json[field][0])?, self.variable(&json[field][1])?));
        if json.get("variable").is_some() {
            let variable = self.variable(&json["variable"])?;
            let sort = self.model.symbol(variable.location().symbol).sort;
            let values = list(json, "values", |json| self.value(sort, json))?;
            return Ok(Literal::OneOf(variable, values));
        }
        if json.get("same").is_some() {
            return pair("same").map(|(left, right)| Literal::Same(left, right));
        }
        if json.get("differ").is_some() {
            return pair("differ").map(|(left, right)| Literal::Differ(left, right));
        }
        let term = |json: &Json| Ok((whole(&json[0])?, self.variable(&json[1])?));
        let strict = json["strict"].as_bool().ok_or("`strict` is not a truth value")?;
        Ok(Literal::AtMost { terms: list(json, "terms", term)?, constant: whole(&json["constant"])?, strict })
    }

    fn value(&self, sort: Sort, json: &Json) -> Read<Value> {
        if let Some(name) = json.as_str() {
            let Sort::Enum(id) = sort else {
                return if name == "elsewhere" {
                    Ok(Value::Elsewhere)
                } else {
                    Err(format!("`{name}` is no value"))
                };
            };
            let constructors = &self.model.enums[id.index()].constructors;
            let at = constructors.iter().position(|known| known == name);
            let at = at.and_then(|at| u32::try_from(at).ok());
            return at.map(Value::Constructor).ok_or_else(|| format!("there is no constructor `{name}`"));
        }
        if let Some(process) = json.get("process") {
            return number(process).map(Value::Process);
        }
        number(&json["outsider"]).map(|at| Value::Outsider(OutsiderId(at)))
    }
}

fn number(json: &Json) -> Read<u32> {
    json.as_u64()
        .and_then(|number| u32::try_from(number).ok())
        .ok_or_else(|| format!("{json} is not a number"))
}

fn position(json: &Json) -> Read<usize> {
    number(json).map(|number| number as usize)
}

fn whole(json: &Json) -> Read<i64> {
    json.as_i64().ok_or_else(|| format!("{json} is not a whole number"))
}

fn list<T>(json: &Json, field: &str, read: impl Fn(&Json) -> Read<T>) -> Read<Vec<T>> {
    let list = json[field].as_array().ok_or_else(|| format!("`{field}` is not a list"))?;
    list.iter().map(read).collect()
}
