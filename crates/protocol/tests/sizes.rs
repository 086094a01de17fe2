//! State graphs of published protocols have the published sizes.

mod common;

use common::{corpus, protocol, size};

#[test]
fn published_protocols_have_the_published_sizes() {
    let Some(folder) = corpus() else { return };
    for (file, values, states, steps) in [
        ("chess", &[][..], 5, 5),
        ("tic-tac-toe", &[], 5, 6),
        ("rock-paper-scissors", &["2"], 5, 11),
        ("rock-paper-scissors", &["3"], 37, 66),
        ("rock-paper-scissors", &["4"], 177, 301),
        ("token-directed-ring", &["4", "0"], 9, 9),
        ("token-undirected-ring", &["4", "0"], 13, 18),
        ("token-star", &["4", "0"], 11, 15),
        ("token-binary-tree", &["4", "0"], 11, 14),
        ("token-2d-mesh", &["4", "0"], 13, 18),
        ("cg", &["2"], 21, 22),
        ("is", &["2"], 21, 22),
        ("ft", &["2"], 42, 47),
    ] {
        let text = std::fs::read_to_string(folder.join(format!("{file}.dcj"))).unwrap();
        assert_eq!(size(&protocol(&text), values), (states, steps), "{file} {values:?}");
    }
}
