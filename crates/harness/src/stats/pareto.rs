//! Which points no other is better than.

/// The points of the Pareto front, for two numbers of which more is better: those that no other reaches in both numbers and
/// exceeds in one. Their places, the first number ascending; of equal points the first.
pub fn pareto_front(points: &[(f64, f64)]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    // From the largest first number on; a point belongs to the front if its second is larger than all before.
    order.sort_by(|&a, &b| {
        let ((xa, ya), (xb, yb)) = (points[a], points[b]);
        xb.total_cmp(&xa).then(yb.total_cmp(&ya)).then(a.cmp(&b))
    });
    let mut front = Vec::new();
    let mut highest = f64::NEG_INFINITY;
    for index in order {
        if points[index].1 > highest {
            highest = points[index].1;
            front.push(index);
        }
    }
    front.reverse();
    front
}

#[cfg(test)]
mod tests {
    use super::pareto_front;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_front_is_what_nothing_dominates(
            grid in proptest::collection::vec((0_u8..6, 0_u8..6), 0..12)
        ) {
            let points: Vec<(f64, f64)> = grid.iter().map(|&(x, y)| (x.into(), y.into())).collect();
            let dominated = |a: (f64, f64)| {
                points.iter().any(|b| b.0 >= a.0 && b.1 >= a.1 && *b != a)
            };
            let mut expected: Vec<usize> = (0..points.len())
                .filter(|&i| !dominated(points[i]) && !points[..i].contains(&points[i]))
                .collect();
            expected.sort_by(|&a, &b| points[a].0.total_cmp(&points[b].0));
            prop_assert_eq!(pareto_front(&points), expected);
        }
    }
}
