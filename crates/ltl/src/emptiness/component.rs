//! The search over strongly connected components, without recursion.

use super::{
    Graph, Run, Stopped, lasso,
    product::{Cursor, Marks, Numbers, Pair, Product},
    strong,
};

/// The number of a pair that belongs to a component without an accepted run.
const DEAD: u32 = u32::MAX;

/// The first pair that was met of a part of the product that is known to be strongly connected.
struct Root {
    /// Its position among the live pairs. All pairs up to the next root belong to this part.
    at: u32,
    /// What the steps inside of this part contribute.
    marks: Marks,
    /// What the step to it contributes.
    entered: Marks,
}

/// A pair on the path of the search.
struct Frame {
    at: u32,
    cursor: Cursor,
}

struct Search {
    /// 0, [`DEAD`], or the position of a live pair plus 1.
    numbers: Numbers,
    /// The pairs whose component is not complete.
    live: Vec<Pair>,
    roots: Vec<Root>,
    path: Vec<Frame>,
}

/// Looks for an accepted run.
pub(super) fn search<G: Graph>(product: &mut Product<'_, G>) -> Result<Option<Run>, Stopped> {
    let mut search =
        Search { numbers: Numbers::new(product.automaton), live: vec![], roots: vec![], path: vec![] };
    for initial in product.initial()? {
        if search.numbers.get(initial) == 0 {
            search.enter(product, initial, Marks::default())?;
            if let Some(component) = search.run(product)? {
                return lasso::shortest(product, &component).map(Some);
            }
        }
    }
    Ok(None)
}

impl Search {
    fn enter<G: Graph>(
        &mut self,
        product: &mut Product<'_, G>,
        pair: Pair,
        entered: Marks,
    ) -> Result<(), Stopped> {
        let at = u32::try_from(self.live.len()).expect("fewer than 2^32 pairs");
        self.numbers.set(pair, at + 1);
        self.live.push(pair);
        self.roots.push(Root { at, marks: Marks::default(), entered });
        self.path.push(Frame { at, cursor: product.open(pair)? });
        product.count()
    }

    /// Searches all that can be reached from the path. The result is a set of pairs that is strongly connected, and whose steps
    /// together are accepted.
    fn run<G: Graph>(&mut self, product: &mut Product<'_, G>) -> Result<Option<Vec<Pair>>, Stopped> {
        while let Some(frame) = self.path.last_mut() {
            let (_, from) = self.live[frame.at as usize];
            let Some((to, marks)) = product.next(from, &mut frame.cursor) else {
                if let Some(found) = self.leave(product)? {
                    return Ok(Some(found));
                }
                continue;
            };
            product.transitions += 1;
            match self.numbers.get(to) {
                0 => self.enter(product, to, marks)?,
                DEAD => {}
                number => {
                    if self.close(product, number - 1, marks) {
                        let root = self.roots.last().map_or(0, |root| root.at);
                        return Ok(Some(self.live[root as usize..].to_vec()));
                    }
                }
            }
        }
        Ok(None)
    }

    /// Joins the parts that a step back to a live pair connects. True if the joined part is accepted.
    fn close<G: Graph>(&mut self, product: &Product<'_, G>, to: u32, step: Marks) -> bool {
        let mut marks = step;
        while let Some(root) = self.roots.pop() {
            marks.add(root.marks);
            if root.at <= to {
                self.roots.push(Root { marks, ..root });
                break;
            }
            marks.add(root.entered);
        }
        product.accepts(&marks)
    }

    /// Leaves the last pair of the path. If its component is complete, it is dead, unless a part of it is accepted that strong
    /// fairness allows.
    fn leave<G: Graph>(&mut self, product: &mut Product<'_, G>) -> Result<Option<Vec<Pair>>, Stopped> {
        let Some(Frame { at, .. }) = self.path.pop() else { return Ok(None) };
        let Some(root) = self.roots.pop_if(|root| root.at == at) else { return Ok(None) };
        if product.fairness.strong != 0 && product.accepts_but_for_strong(&root.marks) {
            let found = strong::accepted_part(product, &self.live[at as usize..])?;
            if found.is_some() {
                return Ok(found);
            }
        }
        for pair in self.live.drain(at as usize..) {
            self.numbers.set(pair, DEAD);
        }
        Ok(None)
    }
}
