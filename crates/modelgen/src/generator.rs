//! The generator: random numbers, features, and the declarations so far. Each construct adds its methods in its own
//! file.

use crate::features::{Feature, Features};
use crate::layout::{self, Item};
use crate::names::{Class, Names};
use crate::rng::Rng;
use crate::symbols::Signature;
use crate::{Options, Size};

/// The largest number of each kind of declaration.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) globals: usize,
    pub(crate) arrays: usize,
    pub(crate) constructors: usize,
    pub(crate) transitions: usize,
    pub(crate) updates: usize,
    pub(crate) depth: usize,
}

impl Limits {
    fn of(size: Size) -> Self {
        match size {
            Size::Small => {
                Self { globals: 2, arrays: 1, constructors: 3, transitions: 3, updates: 2, depth: 1 }
            }
            Size::Medium => {
                Self { globals: 3, arrays: 2, constructors: 4, transitions: 5, updates: 3, depth: 2 }
            }
            Size::Large => {
                Self { globals: 6, arrays: 4, constructors: 6, transitions: 9, updates: 4, depth: 4 }
            }
        }
    }
}

pub(crate) struct Generator {
    pub(crate) rng: Rng,
    pub(crate) features: Features,
    pub(crate) limits: Limits,
    pub(crate) signature: Signature,
    pub(crate) names: Names,
}

impl Generator {
    pub(crate) fn new(options: &Options) -> Self {
        Self {
            rng: Rng::new(options.seed),
            features: options.features.legal(),
            limits: Limits::of(options.size),
            signature: Signature::default(),
            names: Names::default(),
        }
    }

    /// Generates the whole model. Declarations are generated in the order that Cubicle requires.
    pub(crate) fn model(mut self) -> String {
        let mut items = Vec::new();
        self.declare_types(&mut items);
        self.declare_symbols(&mut items);
        self.predicates(&mut items);
        self.inits(&mut items);
        self.assumptions(&mut items);
        let properties_last = self.rng.chance(1, 2);
        if properties_last {
            self.transitions(&mut items);
        }
        self.properties(&mut items);
        if !properties_last {
            self.transitions(&mut items);
        }
        self.finals(&mut items);
        self.temporal_properties(&mut items);
        if self.has(Feature::AnyOrder) {
            self.rng.shuffle(&mut items);
        }
        layout::write(&items, self.features, &mut self.rng)
    }

    pub(crate) fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    /// True with probability `part` / `whole` if a feature is on.
    pub(crate) fn sometimes(&mut self, feature: Feature, part: usize, whole: usize) -> bool {
        self.has(feature) && self.rng.chance(part, whole)
    }

    pub(crate) fn name(&mut self, class: Class) -> String {
        self.names.fresh(class, &mut self.rng)
    }
}

/// The items of a model, in order.
pub(crate) type Items = Vec<Item>;
