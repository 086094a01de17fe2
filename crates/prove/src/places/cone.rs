//! Extreme rays of a cone: the vectors of a linear space whose entries in some columns are not negative, reduced to those from
//! which all others are sums.
//!
//! The double description method (Motzkin et al., *The double description method*, 1953): columns are considered one after the
//! other, and rays on either side of the new boundary are combined. On place invariants it is known as Farkas' algorithm (Colom,
//! Silva: *Convex geometry and semiflows in P/T nets*, 1990).

use super::kernel::{Row, TooLarge, combination};

/// With more rays than this, there is no point in going on: each costs time wherever a cube is looked at.
const MOST_RAYS: usize = 400;

/// A cone in the making.
struct Cone {
    /// Vectors that belong to it together with their opposites.
    lines: Vec<Row>,
    rays: Vec<Row>,
    /// The columns that were considered.
    done: Vec<usize>,
}

/// The rays of the cone of all vectors that the basis spans and that are not negative in these columns. A line becomes two rays.
/// `None` if there are too many.
pub(super) fn rays(basis: Vec<Row>, columns: &[usize]) -> Option<Vec<Row>> {
    let mut cone = Cone { lines: basis, rays: vec![], done: vec![] };
    for column in columns {
        cone.cut(*column).ok()?;
        if cone.rays.len() > MOST_RAYS {
            return None;
        }
    }
    let opposite = |line: &Row| line.iter().map(|entry| -entry).collect::<Row>();
    let lines: Vec<Row> = cone.lines.iter().flat_map(|line| [line.clone(), opposite(line)]).collect();
    Some(cone.rays.into_iter().chain(lines).collect())
}

impl Cone {
    /// Keeps what is not negative in one more column.
    fn cut(&mut self, column: usize) -> Result<(), TooLarge> {
        match self.lines.iter().position(|line| line[column] != 0) {
            Some(at) => self.cut_line(at, column)?,
            None => self.cut_rays(column)?,
        }
        self.done.push(column);
        Ok(())
    }

    /// One line becomes a ray; everything else is moved along it, onto the boundary.
    fn cut_line(&mut self, at: usize, column: usize) -> Result<(), TooLarge> {
        let mut ray = self.lines.swap_remove(at);
        if ray[column] < 0 {
            ray.iter_mut().for_each(|entry| *entry = -*entry);
        }
        for other in self.lines.iter_mut().chain(&mut self.rays) {
            if other[column] != 0 {
                *other = combination(ray[column], other, -other[column], &ray)?;
            }
        }
        self.rays.push(ray);
        Ok(())
    }

    fn cut_rays(&mut self, column: usize) -> Result<(), TooLarge> {
        let (outside, mut kept): (Vec<Row>, Vec<Row>) =
            std::mem::take(&mut self.rays).into_iter().partition(|ray| ray[column] < 0);
        let inside: Vec<Row> = kept.iter().filter(|ray| ray[column] > 0).cloned().collect();
        let all: Vec<Row> = kept.iter().chain(&outside).cloned().collect();
        for (a, b) in inside.iter().flat_map(|a| outside.iter().map(move |b| (a, b))) {
            if self.are_adjacent(a, b, &all) {
                kept.push(combination(-b[column], a, a[column], b)?);
            }
        }
        self.rays = kept;
        Ok(())
    }

    /// Whether no third ray lies on every boundary that both lie on: otherwise their sum is no extreme ray.
    fn are_adjacent(&self, a: &Row, b: &Row, all: &[Row]) -> bool {
        let common: Vec<usize> =
            self.done.iter().copied().filter(|column| a[*column] == 0 && b[*column] == 0).collect();
        !all.iter().any(|ray| ray != a && ray != b && common.iter().all(|column| ray[*column] == 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_positive_quadrant_has_two_rays() {
        let mut found = rays(vec![vec![1, 1], vec![1, -1]], &[0, 1]).unwrap();
        found.sort();
        assert_eq!(found, [vec![0, 1], vec![1, 0]]);
    }

    #[test]
    fn what_is_not_restricted_stays_a_line() {
        let mut found = rays(vec![vec![1, 0], vec![0, 1]], &[0]).unwrap();
        found.sort();
        assert_eq!(found, [vec![0, -1], vec![0, 1], vec![1, 0]]);
    }

    #[test]
    fn a_cone_over_a_square_has_four_rays() {
        // The columns are z + x, z - x, z + y and z - y.
        let basis = vec![vec![1, -1, 0, 0], vec![0, 0, 1, -1], vec![1, 1, 1, 1]];
        let mut found = rays(basis, &[0, 1, 2, 3]).unwrap();
        found.sort();
        assert_eq!(found, [vec![0, 1, 0, 1], vec![0, 1, 1, 0], vec![1, 0, 0, 1], vec![1, 0, 1, 0]]);
    }
}
