//! Features: one switch per construct of the language, rules for their combination, and presets.

use crate::rng::Rng;

macro_rules! features {
    ($($(#[doc = $doc:literal])+ $name:ident),+ $(,)?) => {
        /// One construct of the language, or one liberty of the source text.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Feature { $($(#[doc = $doc])+ $name),+ }

        impl Feature {
            /// Every feature, in the order of declaration.
            pub const ALL: &'static [Feature] = &[$(Feature::$name),+];
        }
    };
}

features! {
    /// `type t = A | B`
    Enumerations,
    /// `bool`, `True`, `False`
    Booleans,
    /// A `bool` term by itself as a formula.
    BoolAtoms,
    /// Variables and cells of sort `proc`.
    Processes,
    /// Process-valued globals that initially hold an outsider.
    Outsiders,
    /// `type t`
    AbstractTypes,
    /// `int`, with guards that keep the values bounded.
    Integers,
    /// Sometimes leaves those guards out, or takes any integer with `:= ?`.
    UnboundedIntegers,
    /// `real`, bounded as integers are.
    Reals,
    /// `type t = [1..8]`
    Ranges,
    /// `const K : t`
    Constants,
    /// `const K[proc] : t`
    ConstantArrays,
    /// `array A[proc] : t`
    Arrays,
    /// `array M[proc, proc] : t`
    Matrices,
    /// `number_procs N` and `#1`, `#2`, …
    ProcessConstants,
    /// `type producer < proc` and parameters of a kind.
    Kinds,
    /// Variables and cells of a kind.
    KindedVariables,
    /// Parameters of a kind in `unsafe` and `invariant`.
    KindedProperties,

    /// `X + 1`, `X - 1`
    Arithmetic,
    /// Sums with several terms that are not constant.
    LinearSums,
    /// `2 * X`
    Multiples,
    /// `-1`, `-X`
    UnaryMinus,
    /// `A[Turn]`, `A[Next[i]]`
    TermIndices,
    /// `SYS_PROCS`
    SysProcs,
    /// `count` in its four forms.
    Counts,
    /// `count(A, v) >= 2/3`
    Shares,

    /// `||`
    Disjunction,
    /// `=>`
    Implication,
    /// `<=>`
    Equivalence,
    /// `not`
    Negation,
    /// `if … then … else …`
    Conditionals,
    /// `t = case | f : u …`
    CaseFormulas,
    /// `i < j` on processes.
    ProcessOrder,
    /// `forall_other`
    ForallOther,
    /// `exists_other`
    ExistsOther,
    /// `forall`, `exists`
    Quantifiers,
    /// `forall i <> j. …`
    PairQuantifiers,
    /// Quantifiers under connectives and quantifiers, in conditions of arms and in properties.
    NestedQuantifiers,
    /// `predicate p(a) { … }`, over terms.
    Predicates,
    /// Predicates over formulas.
    FormulaArguments,

    /// More than one `init`.
    SeveralInits,
    /// `||` in `init`.
    DisjunctiveInit,
    /// Symbols that `init` leaves open or constrains only partly.
    OpenInit,
    /// More than one `unsafe`.
    SeveralProperties,
    /// `unsafe name …`, `invariant name …`
    NamedProperties,
    /// `invariant`
    Invariants,
    /// Invariants over symbols that nothing assigns: assumptions about the instance.
    Assumptions,
    /// `assume`
    Assumes,
    /// `final`
    Finals,
    /// `ltl`
    Temporal,
    /// `"TAKE t(i)"` in `ltl`.
    TakeAtoms,

    /// `let x = t in …`
    Lets,
    /// `X := ?`, `X := .`
    ArbitraryValues,
    /// `A[i] := ?`
    ArbitraryCells,
    /// `X := case …`
    GlobalCases,
    /// `A[k] := case …`, `M[k, l] := case …`
    ArrayCases,
    /// Case assignments without a default arm.
    MissingDefaults,
    /// `;` between the arms of an array update.
    ArmSeparators,
    /// `A[Turn] := t`, `A[#1] := t`
    TermTargets,
    /// Two transitions of one name.
    RepeatedNames,
    /// Transitions without `requires`.
    NoRequires,
    /// `transition t ([i] j)`
    Actors,

    /// `lock`
    Locks,
    /// `rlock`
    ReentrantLocks,
    /// `condition`
    Conditions,
    /// `semaphore`
    Semaphores,
    /// The value of a semaphore as a number, outside `init`.
    SemaphoreValues,
    /// Arrays of thread primitives.
    LockArrays,
    /// `free`, `owner`, `waiting`, `sleeping`, `active`
    LockState,

    /// `weak var`, `weak array`, `fence()`, `i@X`
    Weak,
    /// `var` beside weak symbols.
    PlainVariables,
    /// Backward steps of a program in weak memory that do not wait for the buffer to be empty.
    UnfencedLoops,

    /// `(* … *)` anywhere, nested.
    Comments,
    /// `// …`
    LineComments,
    /// Blanks and line breaks anywhere.
    Layout,
    /// Declarations in any order.
    AnyOrder,
}

// Every line below is about features: their names stand alone here, and only here.
use Feature::*;

/// The thread primitives: a model with any of them is a model of threads.
const PRIMITIVES: [Feature; 4] = [Locks, ReentrantLocks, Conditions, Semaphores];

impl Feature {
    /// The features without which this one cannot occur.
    fn needs(self) -> &'static [Feature] {
        match self {
            BoolAtoms => &[Booleans],
            Outsiders | TermIndices => &[Processes],
            UnboundedIntegers | Multiples => &[Integers],
            ConstantArrays => &[Constants],
            ArbitraryCells | ArrayCases | Assumes | Counts | LockArrays | Matrices | TermTargets => &[Arrays],
            KindedProperties | KindedVariables => &[Kinds],
            SemaphoreValues => &[Semaphores],
            ArmSeparators => &[ArrayCases],
            Shares => &[Counts],
            PairQuantifiers => &[Quantifiers],
            FormulaArguments => &[Predicates],
            TakeAtoms => &[Temporal],
            PlainVariables | UnfencedLoops => &[Weak],
            Assumptions => &[Invariants, Arrays],
            // Threads and weak memory follow a program counter, which keeps queues and buffers bounded.
            Locks | ReentrantLocks | Conditions | Semaphores | Weak => &[Enumerations, Arrays, Actors],
            _ => &[],
        }
    }

    /// Whether a weak model cannot have this feature, or the language leaves its meaning there open.
    fn clashes_with_weak(self) -> bool {
        PRIMITIVES.contains(&self)
            || matches!(
                self,
                LockArrays | LockState | Counts | Shares | Kinds | Outsiders | Temporal | TakeAtoms
            )
    }
}

/// A set of features. Every set is usable: a feature that lacks a prerequisite just does not occur.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features(u128);

impl Features {
    /// No feature at all: globals of no type, transitions that do nothing.
    pub fn none() -> Self {
        Self(0)
    }

    /// Every feature that may occur in one model; threads rather than weak memory.
    pub fn everything() -> Self {
        Self::of(Feature::ALL).without(&[Weak, PlainVariables, UnfencedLoops])
    }

    /// Every feature that may occur in a model of weak memory.
    pub fn everything_weak() -> Self {
        Self::of(Feature::ALL).without(&[PlainVariables, UnfencedLoops]).legal()
    }

    /// The features of Cubicle, with the syntactic freedom of this language.
    pub fn plain() -> Self {
        Self::cubicle().with(&[BoolAtoms, TermIndices, LinearSums, ExistsOther, Quantifiers, Layout])
    }

    /// The models that Cubicle itself accepts.
    pub fn cubicle() -> Self {
        let beyond = [
            BoolAtoms,
            Ranges,
            ConstantArrays,
            Kinds,
            KindedProperties,
            KindedVariables,
            SemaphoreValues,
            LinearSums,
            Multiples,
            TermIndices,
            SysProcs,
            Counts,
            Shares,
            CaseFormulas,
            ExistsOther,
            Quantifiers,
            PairQuantifiers,
            NestedQuantifiers,
            FormulaArguments,
            SeveralInits,
            NamedProperties,
            Assumes,
            Finals,
            Temporal,
            TakeAtoms,
            Lets,
            ArbitraryCells,
            ArmSeparators,
            TermTargets,
            RepeatedNames,
            Actors,
            LockArrays,
            LockState,
            Weak,
            LineComments,
            Layout,
            AnyOrder,
        ];
        Self::everything().without(&beyond).without(&PRIMITIVES)
    }

    /// Models of threads: those that the fuzzing extension of Cubicle accepts, and the state of locks.
    pub fn threads() -> Self {
        Self::cubicle()
            .without(&[AbstractTypes, Outsiders, Reals, UnboundedIntegers])
            .with(&[
                Actors,
                Kinds,
                KindedProperties,
                KindedVariables,
                SysProcs,
                SemaphoreValues,
                LockArrays,
                LockState,
                ExistsOther,
            ])
            .with(&PRIMITIVES)
    }

    /// Models of weak memory.
    pub fn weak() -> Self {
        Self::cubicle().without(&[Outsiders, UnboundedIntegers]).with(&[
            Actors,
            Weak,
            ConstantArrays,
            NamedProperties,
        ])
    }

    /// Small models of weak memory over finite types: the instances of most have finitely many states, however long
    /// the store buffers may become; some have loops that store again and again.
    pub fn store_buffers() -> Self {
        Self::of(&[
            Enumerations,
            Booleans,
            BoolAtoms,
            Processes,
            Ranges,
            Constants,
            Arrays,
            Arithmetic,
            TermIndices,
            Disjunction,
            Negation,
            Conditionals,
            ForallOther,
            ExistsOther,
            Quantifiers,
            SeveralProperties,
            NamedProperties,
            Invariants,
            Lets,
            ArbitraryValues,
            ArbitraryCells,
            GlobalCases,
            ArrayCases,
            MissingDefaults,
            TermTargets,
            Actors,
            Weak,
            UnfencedLoops,
        ])
    }

    /// A random legal combination: each feature with probability 1/2, weak memory with probability 1/4.
    pub fn any(seed: u64) -> Self {
        let mut rng = Rng::new(seed ^ 0x5EED_0FFE_A70E_5000);
        let mut drawn = Self::none();
        for &feature in Feature::ALL {
            if !matches!(feature, Weak | PlainVariables | UnfencedLoops | Finals) && rng.chance(1, 2) {
                drawn = drawn.with(&[feature]);
            }
        }
        if rng.chance(1, 4) {
            drawn = drawn.with(&[Weak, Enumerations, Arrays, Actors]);
        } else if rng.chance(1, 3) {
            drawn = drawn.with(&[rng.one_of(&PRIMITIVES), Enumerations, Arrays, Actors]);
        }
        if rng.chance(1, 2) {
            drawn = drawn.with(&[Finals]);
        }
        drawn.legal()
    }

    fn of(features: &[Feature]) -> Self {
        Self::none().with(features)
    }

    /// These and the given ones.
    #[must_use]
    pub fn with(self, features: &[Feature]) -> Self {
        Self(features.iter().fold(self.0, |set, &feature| set | 1 << feature as u8))
    }

    /// These without the given ones.
    #[must_use]
    pub fn without(self, features: &[Feature]) -> Self {
        Self(features.iter().fold(self.0, |set, &feature| set & !(1 << feature as u8)))
    }

    /// Whether a feature is on.
    pub fn has(self, feature: Feature) -> bool {
        self.0 >> feature as u8 & 1 == 1
    }

    /// The features that can occur: those that lack a prerequisite are dropped and, if weak memory is on, those that
    /// clash with it.
    #[must_use]
    pub fn legal(self) -> Self {
        let mut set = self;
        loop {
            let weak = set.has(Weak);
            let lacking = |&feature: &Feature| {
                set.has(feature)
                    && (feature.needs().iter().any(|&need| !set.has(need))
                        || weak && feature.clashes_with_weak()
                        || matches!(feature, LockArrays | LockState) && !set.has_threads())
            };
            match Feature::ALL.iter().copied().find(lacking) {
                Some(feature) => set = set.without(&[feature]),
                None => return set,
            }
        }
    }

    pub(crate) fn has_threads(self) -> bool {
        PRIMITIVES.iter().any(|&primitive| self.has(primitive))
    }
}
