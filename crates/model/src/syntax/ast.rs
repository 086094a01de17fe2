//! The syntax tree with types: one struct per node, one method per part.
//!
//! Parts are optional because the tree of a broken file lacks some of them.

use super::{SyntaxKind, SyntaxKind::*, SyntaxNode, SyntaxToken};
use source::Span;

/// A typed node: a view of an untyped one.
pub trait AstNode: Sized {
    /// The typed view, if the node is of the right kind.
    fn cast(node: SyntaxNode) -> Option<Self>;
    /// The node itself.
    fn syntax(&self) -> &SyntaxNode;
    /// The span of its tokens, without leading and trailing trivia.
    fn span(&self) -> Span {
        self.syntax().text_range()
    }
}

fn child<N: AstNode>(node: &SyntaxNode) -> Option<N> {
    node.children().find_map(N::cast)
}

fn children<N: AstNode>(node: &SyntaxNode) -> impl Iterator<Item = N> + use<N> {
    node.children().filter_map(N::cast)
}

fn token(node: &SyntaxNode, kind: SyntaxKind) -> Option<SyntaxToken> {
    tokens(node).find(|token| token.kind() == kind)
}

/// The tokens directly in a node, without trivia.
fn tokens(node: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> + use<> {
    node.children_with_tokens()
        .filter_map(rowan::NodeOrToken::into_token)
        .filter(|token| !token.kind().is_trivia())
}

macro_rules! nodes {
    ($( $(#[$doc:meta])* $name:ident { $( $(#[$part_doc:meta])* $part:ident : $how:ident $what:ident ),* $(,)? } )*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub struct $name(SyntaxNode);

        impl AstNode for $name {
            fn cast(node: SyntaxNode) -> Option<Self> {
                (node.kind() == SyntaxKind::$name).then_some($name(node))
            }
            fn syntax(&self) -> &SyntaxNode {
                &self.0
            }
        }

        impl $name {
            $( nodes!(@part $(#[$part_doc])* $part $how $what); )*
        }
    )* };
    (@part $(#[$doc:meta])* $part:ident one $what:ident) => {
        $(#[$doc])*
        pub fn $part(&self) -> Option<$what> { child(&self.0) }
    };
    (@part $(#[$doc:meta])* $part:ident all $what:ident) => {
        $(#[$doc])*
        pub fn $part(&self) -> impl Iterator<Item = $what> + use<> { children(&self.0) }
    };
    (@part $(#[$doc:meta])* $part:ident token $what:ident) => {
        $(#[$doc])*
        pub fn $part(&self) -> Option<SyntaxToken> { token(&self.0, SyntaxKind::$what) }
    };
}

macro_rules! choices {
    ($( $(#[$doc:meta])* $name:ident { $( $variant:ident ),* $(,)? } )*) => { $(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "each variant is described at its struct")]
        pub enum $name { $( $variant($variant), )* }

        impl AstNode for $name {
            fn cast(node: SyntaxNode) -> Option<Self> {
                match node.kind() {
                    $( SyntaxKind::$variant => $variant::cast(node).map($name::$variant), )*
                    _ => None,
                }
            }
            fn syntax(&self) -> &SyntaxNode {
                match self { $( $name::$variant(node) => node.syntax(), )* }
            }
        }
    )* };
}

nodes! {
    /// A whole model.
    File {
        /// Its declarations in order.
        items: all Item,
    }
    /// `number_procs 3`
    NumberProcs {
        /// The number.
        number: token Integer,
    }
    /// `type t …`
    TypeDecl {
        /// Its name.
        name: one Name,
        /// `= A | B`
        constructors: one EnumBody,
        /// `< proc`
        kind: one KindBody,
        /// `= [1..8]`
        range: one RangeBody,
    }
    /// `A | B | C`
    EnumBody {
        /// The constructors.
        constructors: all Constructor,
    }
    /// One constructor of an enumeration.
    Constructor {
        /// Its name.
        name: one Name,
    }
    /// `< proc`
    KindBody {
        /// The type that it is a kind of, which must be `proc`.
        of: one TypeRef,
    }
    /// `[1..8]`
    RangeBody {}
    /// `[weak] var X : t`, `array A[proc] : t`, `const K : t`
    SymbolDecl {
        /// Its name.
        name: one Name,
        /// `[proc, proc]`
        indices: one IndexSorts,
        /// The type of the variable, cell or constant.
        value: one TypeRef,
    }
    /// `[proc, proc]`
    IndexSorts {
        /// Each must be `proc`.
        sorts: all TypeRef,
    }
    /// A reference to a type.
    TypeRef {
        /// Its name.
        name: token LowerName,
    }
    /// A name in a declaration.
    Name {}
    /// `predicate p(a, b) { f }`
    PredicateDecl {
        /// Its name.
        name: one Name,
        /// Its parameters.
        params: one PredicateParams,
        /// What it stands for.
        block: one Block,
    }
    /// `(a, b)`
    PredicateParams {
        /// The parameters.
        names: all Name,
    }
    /// `init (i j) { f }`
    Init {
        /// The parameters.
        params: one Params,
        /// The formula.
        block: one Block,
    }
    /// `unsafe name (i j) { f }`
    Unsafe {
        /// Its name.
        name: one Name,
        /// The parameters.
        params: one Params,
        /// The formula.
        block: one Block,
    }
    /// `invariant name (i j) { f }`
    Invariant {
        /// Its name.
        name: one Name,
        /// The parameters.
        params: one Params,
        /// The formula.
        block: one Block,
    }
    /// `assume name (i j) { f }`
    Assume {
        /// Its name.
        name: one Name,
        /// The parameters.
        params: one Params,
        /// The formula.
        block: one Block,
    }
    /// `final { f }`
    Final {
        /// Parameters, which are an error, but are brought into scope nevertheless.
        params: one Params,
        /// The formula.
        block: one Block,
    }
    /// `ltl name (i j) { … }`
    Ltl {
        /// Its name.
        name: one Name,
        /// The parameters.
        params: one Params,
        /// The temporal formula, as text.
        body: one LtlBody,
    }
    /// A temporal formula: its text, and the atoms in it.
    LtlBody {
        /// The atoms in order, but for `END` and `DEAD` without quotes.
        atoms: all LtlAtom,
    }
    /// `formula` or `TAKE t(#1)`, perhaps in quotes
    LtlAtom {
        /// The formula.
        formula: one Expr,
        /// The step.
        take: one Take,
    }
    /// `TAKE t(#1, i)` or `ENABLED t(#1, i)`
    Take {
        /// The transition.
        name: one Name,
        /// The processes.
        arguments: one TakeArgs,
    }
    /// `(#1, i)`
    TakeArgs {
        /// The processes.
        processes: all NameExpr,
    }
    /// `transition t ([i] j) requires { f } { … }`
    Transition {
        /// Its name.
        name: one Name,
        /// The parameters.
        params: one Params,
        /// The guard.
        requires: one Requires,
        /// The statements.
        body: one Body,
    }
    /// `([i : kind] j k)`
    Params {}
    /// `i : kind`
    Param {
        /// The process variable.
        name: one Name,
        /// Its kind.
        kind: one TypeRef,
    }
    /// `[i : kind]`
    Actor {
        /// The process that acts.
        param: one Param,
    }
    /// `requires { f }`
    Requires {
        /// The formula.
        block: one Block,
    }
    /// `{ f }`
    Block {
        /// The formula.
        formula: one Expr,
    }
    /// `{ let x = t in … stmt ; stmt ; }`
    Body {
        /// The local names.
        lets: all Let,
        /// The statements.
        statements: all Statement,
    }
    /// `let x = t in`
    Let {
        /// The local name.
        name: one Name,
        /// What it stands for.
        value: one Expr,
    }
    /// `X := t`
    Assignment {
        /// `?` or `.`
        any: one AnyValue,
        /// `case …`
        case: one Case,
    }
    /// `?` or `.`: any value of the type
    AnyValue {}
    /// `case | f : t … | _ : t`
    Case {
        /// The arms in order.
        arms: all Arm,
    }
    /// `f : t`
    Arm {
        /// `_`
        default: one DefaultCondition,
        /// `?`
        any: one AnyValue,
    }
    /// `_`
    DefaultCondition {}
    /// `acquire(L, i)`
    Primitive {
        /// `acquire`, `release`, `wait`, `notify` or `notify_all`.
        name: one Name,
        /// Its arguments.
        arguments: one ArgList,
    }
    /// `(a, b)`
    ArgList {
        /// The arguments.
        arguments: all Expr,
    }
    /// A number, `true` or `false`.
    Literal {}
    /// `X`, `K`, `i`, `#1`
    NameExpr {}
    /// `A[t, …]`
    IndexExpr {
        /// The array.
        array: one NameExpr,
        /// The indices.
        list: one IndexList,
    }
    /// `[t, …]`
    IndexList {
        /// The indices.
        indices: all Expr,
    }
    /// `i@X`
    AtExpr {
        /// The process that reads.
        reader: one NameExpr,
    }
    /// `p(t, …)`
    CallExpr {
        /// The predicate.
        name: one Name,
        /// The arguments.
        arguments: one ArgList,
    }
    /// `_`
    Wildcard {}
    /// `( f )`
    ParenExpr {
        /// The expression in the parentheses.
        inner: one Expr,
    }
    /// `not f`
    NotExpr {
        /// The operand.
        operand: one Expr,
    }
    /// `- t`
    NegExpr {
        /// The operand.
        operand: one Expr,
    }
    /// `f => g`
    ImpliesExpr {
        /// Both sides.
        operands: all Expr,
    }
    /// `f <=> g`
    IffExpr {
        /// Both sides.
        operands: all Expr,
    }
    /// `f || g || …`
    OrExpr {
        /// The disjuncts.
        operands: all Expr,
    }
    /// `f && g && …`
    AndExpr {
        /// The conjuncts.
        operands: all Expr,
    }
    /// `t < u`, `t = case …`
    CompareExpr {
        /// Both sides; one if the other is a `case`.
        operands: all Expr,
        /// `case …`
        case: one Case,
    }
    /// `t + u - …`
    SumExpr {}
    /// `2 * t`, `2 / 3`
    ProductExpr {}
    /// `if f then g else h`
    IfExpr {
        /// Condition, then and else.
        parts: all Expr,
    }
    /// `forall i <> j. f`
    QuantifiedExpr {
        /// The variables.
        variables: one BoundVars,
        /// The body.
        body: one Expr,
    }
    /// `i <> j`
    BoundVars {
        /// The variables.
        names: all Name,
    }
    /// A formula alone.
    LoneExpression {
        /// The formula.
        expression: one Expr,
    }
}

choices! {
    /// A declaration.
    Item {
        NumberProcs, TypeDecl, SymbolDecl, PredicateDecl, Init, Unsafe, Invariant, Assume, Final, Ltl, Transition,
    }
    /// A statement of a transition.
    Statement { Assignment, Primitive }
    /// A term or a formula.
    Expr {
        Literal, NameExpr, IndexExpr, AtExpr, CallExpr, Wildcard, ParenExpr, NotExpr, NegExpr, ImpliesExpr, IffExpr,
        OrExpr, AndExpr, CompareExpr, SumExpr, ProductExpr, IfExpr, QuantifiedExpr,
    }
}

/// The keyword of a symbol declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SymbolClass {
    /// `var`
    Variable,
    /// `array`
    Array,
    /// `const`
    Constant,
}

/// A parameter of an item with its role.
#[derive(Debug, Clone)]
pub struct ParamRole {
    /// The parameter.
    pub param: Param,
    /// Whether it is in brackets, which marks the process that acts.
    pub actor: bool,
}

impl SymbolDecl {
    /// `var`, `array` or `const`.
    pub fn class(&self) -> SymbolClass {
        let has = |kind| token(&self.0, kind).is_some();
        if has(ArrayKw) {
            SymbolClass::Array
        } else if has(ConstKw) {
            SymbolClass::Constant
        } else {
            SymbolClass::Variable
        }
    }

    /// The word `weak`, if it is there.
    pub fn weak(&self) -> Option<SyntaxToken> {
        token(&self.0, LowerName)
    }
}

impl RangeBody {
    /// Each bound with its sign, as written: `(negative, digits)`.
    pub fn bounds(&self) -> Vec<(bool, SyntaxToken)> {
        let mut negative = false;
        let mut bounds = Vec::new();
        for token in tokens(&self.0) {
            match token.kind() {
                Minus => negative = true,
                Integer => bounds.push((std::mem::take(&mut negative), token)),
                _ => {}
            }
        }
        bounds
    }
}

impl Name {
    /// The identifier itself.
    pub fn token(&self) -> Option<SyntaxToken> {
        tokens(&self.0).next()
    }

    /// Its text; empty in a broken tree.
    pub fn text(&self) -> String {
        self.token().map_or(String::new(), |token| token.text().to_owned())
    }
}

impl TypeRef {
    /// Its text; empty in a broken tree.
    pub fn text(&self) -> String {
        self.name().map_or(String::new(), |token| token.text().to_owned())
    }
}

impl NameExpr {
    /// The identifier or process constant.
    pub fn token(&self) -> Option<SyntaxToken> {
        tokens(&self.0).next()
    }
}

impl Literal {
    /// The number or truth value.
    pub fn token(&self) -> Option<SyntaxToken> {
        tokens(&self.0).next()
    }
}

impl Params {
    /// The parameters in order, actors included.
    pub fn iter(&self) -> impl Iterator<Item = ParamRole> + use<> {
        self.0.children().filter_map(|node| match node.kind() {
            SyntaxKind::Actor => Actor(node).param().map(|param| ParamRole { param, actor: true }),
            _ => self::Param::cast(node).map(|param| ParamRole { param, actor: false }),
        })
    }
}

impl Assignment {
    /// What is assigned: a name or a cell.
    pub fn target(&self) -> Option<Expr> {
        child(&self.0)
    }

    /// The term that is assigned; `None` for `case` and `?`.
    pub fn value(&self) -> Option<Expr> {
        children(&self.0).nth(1)
    }
}

impl Arm {
    /// The condition, unless it is `_`.
    pub fn condition(&self) -> Option<Expr> {
        if self.default().is_some() { None } else { child(&self.0) }
    }

    /// The value, unless it is `?`.
    pub fn value(&self) -> Option<Expr> {
        children(&self.0).nth(usize::from(self.default().is_none()))
    }
}

impl AtExpr {
    /// What is read: a name or a cell.
    pub fn location(&self) -> Option<Expr> {
        children(&self.0).nth(1)
    }
}

impl CompareExpr {
    /// The comparison operator.
    pub fn operator(&self) -> Option<SyntaxToken> {
        tokens(&self.0).next()
    }
}

impl SumExpr {
    /// The summands, each with whether it is subtracted.
    pub fn summands(&self) -> Vec<(bool, Expr)> {
        operands(&self.0, Minus)
    }
}

impl ProductExpr {
    /// The factors, each with whether it divides.
    pub fn factors(&self) -> Vec<(bool, Expr)> {
        operands(&self.0, Slash)
    }
}

/// Operands of a chain, each with whether the operator before it is `marked`.
fn operands(node: &SyntaxNode, marked: SyntaxKind) -> Vec<(bool, Expr)> {
    let mut mark = false;
    let mut found = Vec::new();
    for element in node.children_with_tokens() {
        match element {
            rowan::NodeOrToken::Token(token) if token.kind().is_trivia() => {}
            rowan::NodeOrToken::Token(token) => mark = token.kind() == marked,
            rowan::NodeOrToken::Node(node) => found.extend(Expr::cast(node).map(|operand| (mark, operand))),
        }
    }
    found
}

impl QuantifiedExpr {
    /// `forall`, `exists`, `forall_other` or `exists_other`.
    pub fn quantifier(&self) -> Option<SyntaxToken> {
        tokens(&self.0).next()
    }
}
