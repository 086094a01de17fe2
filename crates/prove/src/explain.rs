//! Why a search does not come to an end: what grows from its first cubes to its last.

use crate::cube::Cube;
use crate::search::{Node, State};
use crate::vocabulary::Vocabulary;
use ir::SymbolId;

/// Something that grows, from the first third of the visited cubes to the last.
#[derive(Debug, Clone, PartialEq)]
pub enum Growth {
    /// The most processes of a cube.
    Processes {
        /// Among the first.
        from: usize,
        /// Among the last.
        to: usize,
    },
    /// How often a symbol is mentioned in a cube, on average.
    Mentions {
        /// The symbol.
        symbol: SymbolId,
        /// In the first cubes.
        from: f64,
        /// In the last.
        to: f64,
    },
    /// The largest factor or constant beside a number.
    Numbers {
        /// The number.
        symbol: SymbolId,
        /// In the first cubes.
        from: u64,
        /// In the last.
        to: u64,
    },
}

/// Fewer visited cubes are no basis for a trend.
const FEW: usize = 12;
/// A symbol must be mentioned more often by this factor,
const MORE: f64 = 1.3;
/// and by at least this many mentions in a cube.
const MENTIONS: f64 = 0.5;

/// What grows, the most telling first.
pub(crate) fn growth(vocabulary: &Vocabulary, nodes: &[Node]) -> Vec<Growth> {
    let visited: Vec<&Cube> =
        nodes.iter().filter(|node| matches!(node.state, State::Visited)).map(|node| &node.cube).collect();
    if visited.len() < FEW {
        return vec![];
    }
    let third = visited.len() / 3;
    let (early, late) = (&visited[..third], &visited[visited.len() - third..]);
    let symbols = u16::try_from(vocabulary.symbols.len()).unwrap_or(u16::MAX);
    let numbers = (0..symbols).filter_map(|symbol| {
        let (from, to) = (largest(early, symbol), largest(late, symbol));
        (to > from + 1).then_some(Growth::Numbers { symbol: id(symbol), from, to })
    });
    let processes = |cubes: &[&Cube]| cubes.iter().map(|cube| usize::from(cube.processes)).max().unwrap_or(0);
    let (from, to) = (processes(early), processes(late));
    let more = (to > from).then_some(Growth::Processes { from, to });
    let mut mentions: Vec<Growth> = (0..symbols)
        .filter_map(|symbol| {
            let (from, to) = (mentioned(early, symbol), mentioned(late, symbol));
            (to > from * MORE && to > from + MENTIONS).then_some(Growth::Mentions {
                symbol: id(symbol),
                from,
                to,
            })
        })
        .collect();
    let gain = |growth: &Growth| if let Growth::Mentions { from, to, .. } = growth { to - from } else { 0.0 };
    mentions.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
    numbers.chain(more).chain(mentions).collect()
}

fn id(symbol: u16) -> SymbolId {
    SymbolId::from_index(symbol.into())
}

/// How often a symbol is mentioned, on average.
#[expect(clippy::cast_precision_loss, reason = "there are far fewer than 2^52 cubes")]
fn mentioned(cubes: &[&Cube], symbol: u16) -> f64 {
    let mentions: usize =
        cubes.iter().map(|cube| cube.cells().iter().filter(|cell| cell.symbol() == symbol).count()).sum();
    mentions as f64 / cubes.len() as f64
}

/// The largest factor or constant of a constraint that mentions a symbol.
fn largest(cubes: &[&Cube], symbol: u16) -> u64 {
    let constraints = cubes.iter().flat_map(|cube| &cube.linear);
    let about =
        constraints.filter(|constraint| constraint.terms.iter().any(|(cell, _)| cell.symbol() == symbol));
    let sizes = about.flat_map(|constraint| {
        let own = constraint.terms.iter().filter(|(cell, _)| cell.symbol() == symbol);
        own.map(|(_, factor)| factor.unsigned_abs())
            .chain([constraint.constant.unsigned_abs()])
            .collect::<Vec<_>>()
    });
    sizes.max().unwrap_or(0)
}
