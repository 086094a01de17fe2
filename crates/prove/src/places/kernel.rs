//! Exact linear algebra over the rationals, with whole numbers throughout: rows are only defined up to a factor.

/// A vector with one entry for each column. Its direction matters, not its length.
pub(super) type Row = Vec<i128>;

/// Linear equations in echelon form.
#[derive(Debug, Default)]
pub(super) struct Equations {
    /// Each with the column of its pivot, which is zero in all others.
    rows: Vec<(usize, Row)>,
}

/// Numbers got too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLarge;

impl Equations {
    /// Adds the equation that the sum of the entries, each times its unknown, is zero.
    pub(super) fn add(&mut self, mut row: Row) -> Result<(), TooLarge> {
        for (pivot, known) in &self.rows {
            if row[*pivot] != 0 {
                row = combination(known[*pivot], &row, -row[*pivot], known)?;
            }
        }
        let Some(pivot) = row.iter().position(|entry| *entry != 0) else { return Ok(()) };
        shorten(&mut row);
        for (_, known) in &mut self.rows {
            if known[pivot] != 0 {
                *known = combination(row[pivot], known, -known[pivot], &row)?;
            }
        }
        self.rows.push((pivot, row));
        Ok(())
    }

    /// A basis of the solutions.
    pub(super) fn kernel(&self, columns: usize) -> Result<Vec<Row>, TooLarge> {
        let is_pivot = |column: &usize| self.rows.iter().any(|(pivot, _)| pivot == column);
        (0..columns).filter(|column| !is_pivot(column)).map(|free| self.solution(columns, free)).collect()
    }

    /// The solution in which one of the free unknowns is not zero, and all other free ones are.
    fn solution(&self, columns: usize, free: usize) -> Result<Row, TooLarge> {
        let mut common: i128 = 1;
        for (pivot, row) in self.rows.iter().filter(|(_, row)| row[free] != 0) {
            let divisor = row[*pivot].abs() / gcd(row[*pivot], row[free]);
            common = common.checked_mul(divisor / gcd(common, divisor)).ok_or(TooLarge)?;
        }
        let mut solution = vec![0; columns];
        solution[free] = common;
        for (pivot, row) in &self.rows {
            solution[*pivot] = -row[free].checked_mul(common).ok_or(TooLarge)? / row[*pivot];
        }
        shorten(&mut solution);
        Ok(solution)
    }
}

/// A sum of multiples of two rows, shortened. The first factor keeps its sign.
pub(super) fn combination(a: i128, left: &Row, b: i128, right: &Row) -> Result<Row, TooLarge> {
    let entry = |(l, r): (&i128, &i128)| a.checked_mul(*l)?.checked_add(b.checked_mul(*r)?);
    let mut row: Row = left.iter().zip(right).map(entry).collect::<Option<_>>().ok_or(TooLarge)?;
    shorten(&mut row);
    Ok(row)
}

/// Divides a row by what divides all of its entries.
pub(super) fn shorten(row: &mut Row) {
    let divisor = row.iter().fold(0, |divisor, entry| gcd(divisor, *entry));
    if divisor > 1 {
        row.iter_mut().for_each(|entry| *entry /= divisor);
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_satisfy_all_equations() {
        let rows: [Row; 4] = [vec![2, 4, 0, 1, 0], vec![0, 3, -3, 0, 6], vec![2, 7, -3, 1, 6], vec![0; 5]];
        let mut equations = Equations::default();
        rows.iter().for_each(|row| equations.add(row.clone()).unwrap());
        let kernel = equations.kernel(5).unwrap();
        // Two equations are independent, so that three dimensions are left.
        assert_eq!(kernel.len(), 3);
        for solution in &kernel {
            assert!(solution.iter().any(|entry| *entry != 0));
            for row in &rows {
                assert_eq!(row.iter().zip(solution).map(|(a, b)| a * b).sum::<i128>(), 0);
            }
        }
    }

    #[test]
    fn a_full_rank_leaves_nothing() {
        let mut equations = Equations::default();
        for row in [vec![1, 1], vec![1, -1]] {
            equations.add(row).unwrap();
        }
        assert_eq!(equations.kernel(2).unwrap(), Vec::<Row>::new());
    }

    #[test]
    fn large_numbers_are_an_error() {
        let mut equations = Equations::default();
        let huge = 1_i128 << 100;
        equations.add(vec![huge, 1 + huge, 3]).unwrap();
        assert_eq!(equations.add(vec![huge + 7, 5, huge]), Err(TooLarge));
    }
}
