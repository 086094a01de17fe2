//! Declarations: the header, types, globals, arrays, constants and thread primitives of a model.

use crate::features::Feature;
use crate::generator::{Generator, Items};
use crate::layout::Item;
use crate::names::Class;
use crate::symbols::{Fate, Primitive, Symbol, Type};

impl Generator {
    pub(crate) fn declare_types(&mut self, items: &mut Items) {
        if self.sometimes(Feature::ProcessConstants, 2, 3) {
            self.signature.processes = self.rng.between(2, 3);
            items.push(Item::new(format!("number_procs {}", self.signature.processes)));
        }
        if self.has(Feature::Enumerations) {
            for _ in 0..self.rng.between(1, 2) {
                let constructors = self.rng.between(2, self.limits.constructors);
                self.declare_enumeration(constructors, items);
            }
        }
        if self.sometimes(Feature::AbstractTypes, 1, 2) {
            let name = self.name(Class::Type);
            items.push(Item::new(format!("type {name}")));
            self.signature.abstracts.push(name);
        }
        if self.sometimes(Feature::Ranges, 1, 2) {
            let low = self.rng.below(3);
            let high = low + self.rng.between(1, 3);
            let name = self.name(Class::Type);
            items.push(Item::new(format!("type {name} = [{low}..{high}]")));
            self.signature.ranges.push((name, low, high));
        }
        if self.sometimes(Feature::Kinds, 2, 3) {
            for _ in 0..self.rng.between(1, 2) {
                let name = self.name(Class::Kind);
                items.push(Item::new(format!("type {name} < proc")));
                self.signature.kinds.push(name);
            }
        }
        if self.has(Feature::Weak) || self.features.has_threads() {
            let places = self.rng.between(3, 5);
            let enumeration = self.declare_enumeration(places, items);
            self.signature.counter = Some((self.name(Class::Array), enumeration));
        }
    }

    fn declare_enumeration(&mut self, constructors: usize, items: &mut Items) -> usize {
        let name = self.name(Class::Type);
        let constructors: Vec<String> = (0..constructors).map(|_| self.name(Class::Constructor)).collect();
        let bar = if self.rng.chance(1, 6) { "| " } else { "" };
        items.push(Item::new(format!("type {name} = {bar}{}", constructors.join(" | "))));
        self.signature.enumerations.push((name, constructors));
        self.signature.enumerations.len() - 1
    }

    pub(crate) fn declare_symbols(&mut self, items: &mut Items) {
        let first = self.signature.symbols.len();
        self.declare_counter();
        self.declare_primitives();
        self.declare_outsider();
        for _ in 0..self.rng.between(1, self.limits.globals) {
            self.declare_state(Class::Global, 0);
        }
        if self.has(Feature::Arrays) {
            for _ in 0..self.rng.between(1, self.limits.arrays) {
                self.declare_state(Class::Array, 1);
            }
        }
        if self.sometimes(Feature::Matrices, 1, 3) {
            self.declare_state(Class::Array, 2);
        }
        self.declare_register();
        self.declare_constants();
        self.declare_given();
        let mut symbols = self.signature.symbols[first..].to_vec();
        self.rng.shuffle(&mut symbols);
        items.extend(symbols.iter().map(|symbol| Item::new(self.declaration(symbol))));
    }

    fn declaration(&self, symbol: &Symbol) -> String {
        let weak = if symbol.weak { "weak " } else { "" };
        let word = match (symbol.constant, symbol.arity) {
            (true, _) => "const",
            (false, 0) => "var",
            (false, _) => "array",
        };
        let indices = match symbol.arity {
            0 => String::new(),
            arity => format!("[{}]", vec!["proc"; arity].join(", ")),
        };
        format!("{weak}{word} {}{indices} : {}", symbol.name, self.signature.type_name(symbol.ty))
    }

    /// The types that a variable can have, without thread primitives.
    fn types(&self) -> Vec<Type> {
        let basic = [
            (Feature::Booleans, Type::Bool),
            (Feature::Integers, Type::Int),
            (Feature::Reals, Type::Real),
            (Feature::Processes, Type::Process),
        ];
        let signature = &self.signature;
        let counter = signature.counter.as_ref().map(|&(_, enumeration)| enumeration);
        let enumerations = (0..signature.enumerations.len()).filter(|&index| Some(index) != counter);
        let mut types: Vec<Type> = enumerations.map(Type::Enumeration).collect();
        types.extend(basic.into_iter().filter(|&(feature, _)| self.has(feature)).map(|(_, ty)| ty));
        types.extend((0..signature.ranges.len()).map(Type::Range));
        types.extend((0..signature.abstracts.len()).map(Type::Abstract));
        if self.has(Feature::KindedVariables) {
            types.extend((0..signature.kinds.len()).map(Type::Kind));
        }
        if signature.symbols.iter().any(|symbol| symbol.ty == Type::Party) {
            types.push(Type::Party);
        }
        types
    }

    fn declare_state(&mut self, class: Class, arity: usize) {
        let types = self.types();
        if let Some(&ty) = self.rng.pick(&types) {
            // The plain arrays of a weak model are registers. The first global is weak, so that something is.
            let first = !self.signature.symbols.iter().any(|symbol| symbol.weak);
            let weak = match arity {
                0 => self.has(Feature::Weak) && (first || !self.sometimes(Feature::PlainVariables, 1, 2)),
                _ => self.sometimes(Feature::Weak, 2, 3),
            };
            let name = self.name(class);
            self.add(Symbol { name, ty, arity, constant: false, weak, fate: Fate::State });
        }
    }

    /// Declares a register that a weak symbol can be loaded into.
    fn declare_register(&mut self) {
        let weak = self.signature.symbols.iter().filter(|symbol| symbol.weak);
        let types: Vec<Type> = weak.map(|symbol| symbol.ty).collect();
        if !types.is_empty() && self.rng.chance(2, 3) {
            let ty = self.rng.one_of(&types);
            let name = self.name(Class::Array);
            self.add(Symbol { name, ty, arity: 1, constant: false, weak: false, fate: Fate::State });
        }
    }

    fn declare_counter(&mut self) {
        if let Some((name, enumeration)) = self.signature.counter.clone() {
            let ty = Type::Enumeration(enumeration);
            self.add(Symbol { name, ty, arity: 1, constant: false, weak: false, fate: Fate::State });
        }
    }

    /// Declares the first variable that holds an outsider initially; others may initially be equal to it.
    fn declare_outsider(&mut self) {
        if self.sometimes(Feature::Outsiders, 2, 3) {
            let constant = self.sometimes(Feature::Constants, 1, 3);
            let class = if constant { Class::Constant } else { Class::Global };
            let fate = if constant { Fate::Rigid } else { Fate::State };
            let name = self.name(class);
            self.add(Symbol { name, ty: Type::Party, arity: 0, constant, weak: false, fate });
        }
    }

    fn declare_constants(&mut self) {
        let mut types = self.types();
        types.retain(|ty| !matches!(ty, Type::Kind(_) | Type::Party));
        for arity in [0, 1] {
            let feature = if arity == 0 { Feature::Constants } else { Feature::ConstantArrays };
            if self.sometimes(feature, 1, 2)
                && let Some(&ty) = self.rng.pick(&types)
            {
                let name = self.name(Class::Constant);
                self.add(Symbol { name, ty, arity, constant: true, weak: false, fate: Fate::Rigid });
            }
        }
    }

    /// Declares a symbol for assumptions, such as an adjacency matrix or the role of a process.
    fn declare_given(&mut self) {
        let wanted = self.has(Feature::Assumes) || self.has(Feature::Assumptions);
        let mut types = self.types();
        types.retain(|ty| matches!(ty, Type::Bool | Type::Enumeration(_)));
        let Some(&ty) = self.rng.pick(&types) else { return };
        let constant = self.has(Feature::Weak);
        if !wanted || constant && !self.has(Feature::ConstantArrays) {
            return;
        }
        let arity = if !constant && self.sometimes(Feature::Matrices, 1, 2) { 2 } else { 1 };
        let name = self.name(if constant { Class::Constant } else { Class::Array });
        self.add(Symbol { name, ty, arity, constant, weak: false, fate: Fate::Given });
    }

    /// Declares most of the primitives that are on, and at least one.
    fn declare_primitives(&mut self) {
        let all = [
            (Feature::Locks, Primitive::Lock),
            (Feature::ReentrantLocks, Primitive::ReentrantLock),
            (Feature::Conditions, Primitive::Condition),
            (Feature::Semaphores, Primitive::Semaphore),
        ];
        let mut on: Vec<Primitive> = all.into_iter().filter(|&(f, _)| self.has(f)).map(|(_, p)| p).collect();
        self.rng.shuffle(&mut on);
        for (position, primitive) in on.into_iter().enumerate() {
            if position == 0 || self.rng.chance(1, 3) {
                let arity = usize::from(self.sometimes(Feature::LockArrays, 1, 3));
                let name = self.name(Class::Lock);
                let ty = Type::Primitive(primitive);
                self.add(Symbol { name, ty, arity, constant: false, weak: false, fate: Fate::State });
            }
        }
    }

    fn add(&mut self, symbol: Symbol) {
        self.signature.symbols.push(symbol);
    }
}
