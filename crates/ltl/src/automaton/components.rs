//! The strongly connected components of a small graph that is known in full (Tarjan, 1972), without recursion.

/// Components, numbered such that every edge leads to a component of an equal or a smaller number.
#[derive(Debug, Default)]
pub(crate) struct Components {
    /// The component of each node.
    pub(crate) of: Vec<usize>,
    pub(crate) count: usize,
}

/// The components of a graph with nodes `0..nodes`.
pub(crate) fn components(nodes: usize, successors: impl Fn(usize) -> Vec<usize>) -> Components {
    let mut search = Search { order: vec![0; nodes], low: vec![0; nodes], ..Search::default() };
    search.components.of = vec![usize::MAX; nodes];
    for root in 0..nodes {
        if search.order[root] == 0 {
            search.visit(root, &successors);
        }
    }
    search.components
}

#[derive(Default)]
struct Search {
    /// When a node was met, from 1; 0 if it was not.
    order: Vec<usize>,
    low: Vec<usize>,
    met: usize,
    stack: Vec<usize>,
    components: Components,
}

impl Search {
    fn visit(&mut self, root: usize, successors: &impl Fn(usize) -> Vec<usize>) {
        let mut path = vec![self.enter(root, successors)];
        while let Some((node, open)) = path.last_mut() {
            let node = *node;
            if let Some(next) = open.pop() {
                if self.order[next] == 0 {
                    let frame = self.enter(next, successors);
                    path.push(frame);
                } else if self.components.of[next] == usize::MAX {
                    self.low[node] = self.low[node].min(self.order[next]);
                }
                continue;
            }
            path.pop();
            if let Some((parent, _)) = path.last() {
                self.low[*parent] = self.low[*parent].min(self.low[node]);
            }
            if self.low[node] == self.order[node] {
                self.close(node);
            }
        }
    }

    fn enter(&mut self, node: usize, successors: &impl Fn(usize) -> Vec<usize>) -> (usize, Vec<usize>) {
        self.met += 1;
        (self.order[node], self.low[node]) = (self.met, self.met);
        self.stack.push(node);
        (node, successors(node))
    }

    fn close(&mut self, root: usize) {
        while let Some(node) = self.stack.pop() {
            self.components.of[node] = self.components.count;
            if node == root {
                break;
            }
        }
        self.components.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_components_and_edges_lead_down() {
        let edges = [vec![1], vec![2], vec![1, 3], vec![4], vec![3], vec![0]];
        let found = components(6, |node| edges[node].clone());
        assert_eq!(found.count, 4);
        assert_eq!(found.of[1], found.of[2]);
        assert_eq!(found.of[3], found.of[4]);
        for (from, to) in
            edges.iter().enumerate().flat_map(|(from, all)| all.iter().map(move |to| (from, *to)))
        {
            assert!(found.of[from] >= found.of[to]);
        }
    }
}
