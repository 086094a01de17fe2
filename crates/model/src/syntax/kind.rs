//! The kinds of tokens and nodes, and their names in messages.

use logos::Logos;

macro_rules! syntax_kinds {
    (
        tokens { $( $(#[$attr:meta])* $token:ident => $text:literal, )* }
        nodes { $( $node:ident, )* }
    ) => {
        /// The kind of a token or node of the syntax tree.
        #[derive(Logos, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        #[expect(missing_docs, reason = "the names are those of the grammar")]
        pub enum SyntaxKind {
            $( $(#[$attr])* $token, )*
            $( $node, )*
        }

        impl SyntaxKind {
            const ALL: &[SyntaxKind] = &[ $( SyntaxKind::$token, )* $( SyntaxKind::$node, )* ];

            /// The name of this kind in messages: "`:=`", "a name".
            pub fn describe(self) -> &'static str {
                match self {
                    $( SyntaxKind::$token => $text, )*
                    _ => "a phrase",
                }
            }
        }
    };
}

syntax_kinds! {
    tokens {
        #[regex(r"[ \t\r\n\f\u{FEFF}]+")] Whitespace => "white space",
        // The lexer completes comments and reals by hand: nesting and `1..8` are beyond regular expressions.
        #[token("(*")] Comment => "a comment",
        #[regex(r"//[^\n]*", allow_greedy = true)] LineComment => "a comment",
        #[regex("[a-z][A-Za-z0-9_]*")] LowerName => "a lower-case name",
        #[regex("[A-Z][A-Za-z0-9_]*")] UpperName => "an upper-case name",
        #[regex("#[1-9][0-9]*")] ProcessConstant => "a process constant such as `#1`",
        #[regex("[0-9]+")] Integer => "a whole number",
        Real => "a decimal number",

        #[token("type")] TypeKw => "`type`",
        #[token("init")] InitKw => "`init`",
        #[token("transition")] TransitionKw => "`transition`",
        #[token("invariant")] InvariantKw => "`invariant`",
        #[token("requires")] RequiresKw => "`requires`",
        #[token("array")] ArrayKw => "`array`",
        #[token("var")] VarKw => "`var`",
        #[token("const")] ConstKw => "`const`",
        #[token("unsafe")] UnsafeKw => "`unsafe`",
        #[token("case")] CaseKw => "`case`",
        #[token("forall_other")] ForallOtherKw => "`forall_other`",
        #[token("exists_other")] ExistsOtherKw => "`exists_other`",
        #[token("forall")] ForallKw => "`forall`",
        #[token("exists")] ExistsKw => "`exists`",
        #[token("predicate")] PredicateKw => "`predicate`",
        #[token("if")] IfKw => "`if`",
        #[token("then")] ThenKw => "`then`",
        #[token("else")] ElseKw => "`else`",
        #[token("not")] NotKw => "`not`",
        #[token("true")] TrueKw => "`true`",
        #[token("false")] FalseKw => "`false`",
        #[token("number_procs")] NumberProcsKw => "`number_procs`",
        #[token("let")] LetKw => "`let`",
        #[token("in")] InKw => "`in`",

        #[token("(")] LParen => "`(`",
        #[token(")")] RParen => "`)`",
        #[token("[")] LBracket => "`[`",
        #[token("]")] RBracket => "`]`",
        #[token("{")] LBrace => "`{`",
        #[token("}")] RBrace => "`}`",
        #[token(",")] Comma => "`,`",
        #[token(";")] Semicolon => "`;`",
        #[token(":")] Colon => "`:`",
        #[token(":=")] Assign => "`:=`",
        #[token("=")] Eq => "`=`",
        #[token("<>")] Neq => "`<>`",
        #[token("<")] Lt => "`<`",
        #[token("<=")] Le => "`<=`",
        #[token(">")] Gt => "`>`",
        #[token(">=")] Ge => "`>=`",
        #[token("=>")] Implies => "`=>`",
        #[token("<=>")] Iff => "`<=>`",
        #[token("&&")] And => "`&&`",
        #[token("||")] Or => "`||`",
        #[token("|")] Bar => "`|`",
        #[token("+")] Plus => "`+`",
        #[token("-")] Minus => "`-`",
        #[token("*")] Star => "`*`",
        #[token("/")] Slash => "`/`",
        #[token(".")] Dot => "`.`",
        #[token("..")] DotDot => "`..`",
        #[token("?")] Question => "`?`",
        #[token("@")] At => "`@`",
        #[token("_")] Underscore => "`_`",
        #[token("\"")] DoubleQuote => "`\"`",
        #[token("'")] SingleQuote => "`'`",

        // Operators of temporal formulas and of other languages. Outside `ltl` each is reported with the operator to
        // use instead.
        #[token("!")] Bang => "`!`",
        #[token("!=")] BangEq => "`!=`",
        #[token("==")] EqEq => "`==`",
        #[token("&")] Amp => "`&`",
        #[token("^")] Caret => "`^`",
        #[token("->")] Arrow => "`->`",
        #[token("-->")] LongArrow => "`-->`",
        #[token("==>")] LongImplies => "`==>`",
        #[token("<->")] DoubleArrow => "`<->`",
        #[token("/\\")] Wedge => "`/\\`",
        #[token("\\/")] Vee => "`\\/`",

        Unknown => "an unknown character",
        EndOfFile => "the end of the file",
    }
    nodes {
        File,
        // Items
        NumberProcs, TypeDecl, EnumBody, Constructor, KindBody, RangeBody,
        SymbolDecl, IndexSorts, TypeRef, Name,
        PredicateDecl, PredicateParams, Init, Unsafe, Invariant, Assume, Final, Ltl, LtlBody, LtlAtom, Take, TakeArgs,
        Transition, Params, Param, Actor, Requires, Block,
        // Statements
        Body, Let, Assignment, AnyValue, Case, Arm, DefaultCondition, Primitive,
        // Expressions
        Literal, NameExpr, IndexExpr, IndexList, AtExpr, CallExpr, ArgList, Wildcard, ParenExpr,
        NotExpr, NegExpr, ImpliesExpr, IffExpr, OrExpr, AndExpr, CompareExpr, SumExpr, ProductExpr,
        IfExpr, QuantifiedExpr, BoundVars,
        // A bare expression, and what could not be parsed
        LoneExpression, Error,
    }
}

impl SyntaxKind {
    /// The kind for a number that [`SyntaxKind`] itself made.
    pub(crate) fn from_raw(raw: u16) -> SyntaxKind {
        SyntaxKind::ALL[usize::from(raw)]
    }

    /// White space and comments: kept in the tree, ignored by the grammar.
    pub fn is_trivia(self) -> bool {
        matches!(self, SyntaxKind::Whitespace | SyntaxKind::Comment | SyntaxKind::LineComment)
    }

    /// Comments of either form.
    pub fn is_comment(self) -> bool {
        matches!(self, SyntaxKind::Comment | SyntaxKind::LineComment)
    }

    /// Words that begin an item. They are reserved, so the parser can rely on them after an error.
    pub(crate) fn starts_item(self) -> bool {
        use SyntaxKind::*;
        matches!(
            self,
            TypeKw
                | InitKw
                | TransitionKw
                | InvariantKw
                | ArrayKw
                | VarKw
                | ConstKw
                | UnsafeKw
                | PredicateKw
                | NumberProcsKw
        )
    }

    /// For an operator of another language: the kind and the spelling of ours.
    pub(crate) fn ours(self) -> Option<(SyntaxKind, &'static str)> {
        use SyntaxKind::*;
        Some(match self {
            Bang => (NotKw, "not"),
            BangEq => (Neq, "<>"),
            EqEq => (Eq, "="),
            Amp | Wedge => (And, "&&"),
            Vee => (Or, "||"),
            Arrow | LongArrow | LongImplies => (Implies, "=>"),
            DoubleArrow => (Iff, "<=>"),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_numbers_round_trip() {
        for (at, kind) in SyntaxKind::ALL.iter().enumerate() {
            assert_eq!(*kind as usize, at);
        }
    }
}
