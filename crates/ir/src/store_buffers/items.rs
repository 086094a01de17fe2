//! The whole model under store buffers.

use super::{
    Capacity, StoreBuffers, Unsupported, flush,
    reads::Reading,
    slots::{Catalogue, Slots},
    writes::{Access, Item, Part, access, is_fenced, parts},
};
use crate::{
    At, Domain, Final, Formula, Init, Model, Origin, Property, PropertyKind, Sort, Symbol, SymbolId,
    Temporal, TemporalAtom, Term, Transition, Var,
};

/// A transition before slots are known.
enum Sorted<'m> {
    /// It writes nothing into a buffer.
    Direct(&'m Transition, Access),
    /// A plain write.
    Buffered(Vec<Part>),
}

pub(super) fn lower(model: &Model, capacity: Capacity) -> Result<Model, Unsupported> {
    let mut catalogue = Catalogue::default();
    let mut sorted = Vec::new();
    for transition in &model.transitions {
        sorted.push(match access(model, transition) {
            Access::Write => Sorted::Buffered(parts(model, transition, &mut catalogue)?),
            other => Sorted::Direct(transition, other),
        });
    }
    let mut lowered = Model { transitions: vec![], ..model.clone() };
    let slots = Slots::add_to(&mut lowered, catalogue, capacity);
    let lowering = Lowering { model, slots: &slots };
    lowered.init = model.init.iter().map(|init| lowering.init(init)).collect();
    lowered.assumptions = lowering.properties(&model.assumptions)?;
    lowered.properties = lowering.properties(&model.properties)?;
    lowered.finals = model.finals.iter().map(|end| lowering.end(end)).collect::<Result<_, _>>()?;
    lowered.temporal = model.temporal.iter().map(|of| lowering.temporal(of)).collect::<Result<_, _>>()?;
    lowering.transitions(&sorted, &mut lowered)?;
    let flush = flush::add_to(&mut lowered, &slots);
    let ids = (0..model.symbols.len()).map(SymbolId::from_index);
    let weak = ids.filter(|id| model.symbol(*id).weak).collect();
    lowered.symbols.iter_mut().for_each(|symbol| symbol.weak = false);
    let like = slots.shapes.iter().map(|shape| shape.like.map(|(symbol, _)| symbol)).collect();
    let Slots { all: slots, writes, .. } = slots;
    lowered.buffers = Some(StoreBuffers { capacity, slots, writes, like, weak, flush });
    Ok(lowered)
}

struct Lowering<'l> {
    model: &'l Model,
    slots: &'l Slots,
}

impl Lowering<'_> {
    fn reading(&self, actor: Option<Var>, at: At) -> Reading<'_> {
        Reading { model: self.model, slots: self.slots, actor, flushed: false, apart: vec![], at }
    }

    /// The initial states: memory as the text says, and all buffers empty.
    fn init(&self, init: &Init) -> Init {
        let mut init = init.clone();
        let owner = init.params.first().copied().unwrap_or_else(|| {
            let var = Var::from_index(init.variables.len());
            init.variables.push("p".into());
            init.params.push(var);
            var
        });
        init.formula = Formula::and([init.formula, self.slots.initial(owner)]);
        init
    }

    fn properties(&self, all: &[Property]) -> Result<Vec<Property>, Unsupported> {
        all.iter().map(|property| self.property(property)).collect()
    }

    /// A property; one about a faulty step reads as the actor of its rule does.
    fn property(&self, property: &Property) -> Result<Property, Unsupported> {
        let rule = property.rule.map(|rule| &self.model.rules[rule.index()]);
        let actor = rule.and_then(|rule| property.params.get(rule.actor?).copied());
        let mut of_rule = self.model.transitions.iter().filter(|step| Some(step.rule) == property.rule);
        let atomic = of_rule.any(|step| access(self.model, step) == Access::ReadModifyWrite);
        let flushed = actor.is_some() && (atomic || is_fenced(&property.formula));
        let reading = Reading { flushed, ..self.reading(actor, property.at) }.distinct(&property.params);
        let empty = match actor {
            Some(actor) if flushed => self.slots.is_empty(0, &Term::Var(actor)),
            _ => Formula::True,
        };
        let formula = Formula::and([empty, reading.formula(&property.formula)?]);
        Ok(Property { formula, ..property.clone() })
    }

    fn end(&self, end: &Final) -> Result<Final, Unsupported> {
        Ok(Final { formula: self.reading(None, end.at).formula(&end.formula)?, ..end.clone() })
    }

    fn temporal(&self, temporal: &Temporal) -> Result<Temporal, Unsupported> {
        let reading = self.reading(None, temporal.at).distinct(&temporal.params);
        let mut atom = |atom: TemporalAtom| {
            Ok(match atom {
                TemporalAtom::State(formula) => TemporalAtom::State(reading.formula(&formula)?),
                other => other,
            })
        };
        Ok(Temporal { formula: temporal.formula.clone().try_map(&mut atom)?, ..temporal.clone() })
    }

    fn transitions(&self, sorted: &[Sorted<'_>], lowered: &mut Model) -> Result<(), Unsupported> {
        let item = Item { model: self.model, slots: self.slots };
        for sorted in sorted {
            match sorted {
                Sorted::Direct(transition, access) => {
                    lowered.transitions.push(item.reading(transition, *access)?);
                }
                Sorted::Buffered(parts) => {
                    for part in parts {
                        let (transitions, overflow) = item.writing(part)?;
                        lowered.transitions.extend(transitions);
                        lowered.properties.extend(overflow);
                    }
                }
            }
        }
        Ok(())
    }
}

/// Makes properties about full buffers match only with at least this many processes, by parameters that they have no use for.
///
/// Provers forget a process that nothing is said about. Therefore each of these is said to be marked: by an array that may
/// hold anything at the start, never changes, and that no step reads. Every run has a twin in which all processes are marked.
pub(super) fn demand_processes(lowered: &mut Model, params: usize) {
    let first = lowered.first_overflow();
    if lowered.properties[first..].iter().all(|property| property.params.len() >= params) {
        return;
    }
    let mark = SymbolId::from_index(lowered.symbols.len());
    lowered.symbols.push(Symbol {
        name: "mark".into(),
        arity: 1,
        sort: Sort::BOOL,
        domain: Domain::Full,
        constant: true,
        weak: false,
        holds_outsiders: false,
        origin: Origin::Buffer,
        at: At::nowhere(),
    });
    for property in &mut lowered.properties[first..] {
        while property.params.len() < params {
            let var = Var::from_index(property.variables.len());
            property.variables.push(format!("other {}", var.0));
            property.params.push(var);
            let marked = Formula::eq(Term::read(mark, vec![Term::Var(var)]), Term::boolean(true));
            property.formula = Formula::and([property.formula.clone(), marked]);
        }
    }
}

impl Model {
    /// The position of the first property that says that slots suffice; those after it say the same.
    pub fn first_overflow(&self) -> usize {
        let declared = |property: &Property| property.kind != PropertyKind::Overflow;
        self.properties.iter().take_while(|property| declared(property)).count()
    }
}
