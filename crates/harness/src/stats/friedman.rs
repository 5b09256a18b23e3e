//! Friedman's test [M. Friedman, J. Am. Stat. Assoc. 32 (1937)]: whether methods rank alike over datasets.

use super::mid_ranks;
use statrs::distribution::{ChiSquared, ContinuousCDF, FisherSnedecor};

/// The test that every order of the methods is as likely on each dataset.
#[derive(Debug, Clone, PartialEq)]
pub struct Friedman {
    /// Datasets, N.
    pub datasets: usize,
    /// The mean rank of each method, 1 for the lowest error; equal errors share the mean of their ranks.
    pub mean_ranks: Vec<f64>,
    /// χ², corrected for ties.
    pub chi_square: f64,
    /// Its p-value, with k − 1 degrees of freedom.
    pub chi_square_p: f64,
    /// Iman and Davenport's F; `None` where all datasets rank the methods alike, so that it is infinite.
    pub f: Option<f64>,
    /// The p-value to report: of F with k − 1 and (k − 1)(N − 1) degrees of freedom, and exact where there is no F.
    pub p_value: f64,
}

impl Friedman {
    /// The test of the errors of k ≥ 2 methods on N ≥ 2 datasets, a line each; `None` for fewer, or for lines of unequal length.
    ///
    /// `χ² = (k − 1) Σ_j (R_j − N(k + 1)/2)² / (Σ_ij r_ij² − N k (k + 1)²/4)` with ranks r_ij and their sums R_j over datasets
    /// [W. J. Conover, *Practical Nonparametric Statistics*, 1999, §5.8]; without ties it is Friedman's. Being
    /// conservative, it gives way to `F = (N − 1) χ² / (N (k − 1) − χ²)` [R. L. Iman and J. M. Davenport, Commun. Stat. A 9
    /// (1980)]. Where all rank alike, the p-value is that of N − 1 random orders all like the first, `(Π t!/k!)^{N−1}` with t
    /// the sizes of the groups of ties (derived: of the k! orders Π t! give its ranks).
    pub fn test(errors: &[Vec<f64>]) -> Option<Self> {
        let n = errors.len();
        let k = errors.first()?.len();
        if n < 2 || k < 2 || errors.iter().any(|line| line.len() != k) {
            return None;
        }
        let ranks: Vec<Vec<f64>> = errors.iter().map(|line| mid_ranks(line)).collect();
        let (datasets, methods) = (n as f64, k as f64);
        let sums: Vec<f64> = (0..k)
            .map(|method| ranks.iter().map(|line| line[method]).sum())
            .collect();
        let middle = datasets * (methods + 1.0) / 2.0;
        let between: f64 = sums.iter().map(|sum| (sum - middle).powi(2)).sum();
        let squares: f64 = ranks.iter().flatten().map(|rank| rank * rank).sum();
        // Ranks are halves: sums and squares of them are exact.
        let within = squares - datasets * methods * (methods + 1.0).powi(2) / 4.0;
        let chi_square = if within > 0.0 {
            (methods - 1.0) * between / within
        } else {
            0.0
        };
        let alike = ranks.iter().all(|line| *line == ranks[0]);
        let f = (!alike || within == 0.0)
            .then(|| (datasets - 1.0) * chi_square / (datasets * (methods - 1.0) - chi_square));
        let freedom = methods - 1.0;
        let chi = ChiSquared::new(freedom).expect("at least one degree of freedom");
        let p_value = match f {
            Some(f) => FisherSnedecor::new(freedom, freedom * (datasets - 1.0))
                .expect("at least one degree of freedom")
                .sf(f),
            None => orders_like(&ranks[0]).powi(i32::try_from(n - 1).unwrap_or(i32::MAX)),
        };
        Some(Self {
            datasets: n,
            mean_ranks: sums.iter().map(|sum| sum / datasets).collect(),
            chi_square,
            chi_square_p: chi.sf(chi_square),
            f,
            p_value,
        })
    }
}

/// The share of all k! orders that give these ranks.
fn orders_like(ranks: &[f64]) -> f64 {
    let factorial = |n: usize| (1..=n).map(|m| m as f64).product::<f64>();
    let mut sorted = ranks.to_vec();
    sorted.sort_by(f64::total_cmp);
    let ties = sorted.chunk_by(|a, b| a == b);
    ties.map(|tie| factorial(tie.len())).product::<f64>() / factorial(ranks.len())
}

#[cfg(test)]
mod tests {
    use super::Friedman;
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    /// Ranks 1 2 3 · 2 1 3 · 2½ 2½ 1 · 1 2 3 · 1 2½ 2½, of sums 7½, 10, 12½ about 10: χ² = 2·12.5/(69 − 60) = 25/9 and
    /// F = 4·(25/9)/(10 − 25/9) = 20/13. The p-values are scipy 1.17's `friedmanchisquare(*a.T)` and `f.sf(20/13, 2, 8)`.
    #[test]
    fn a_test_worked_by_hand() {
        let errors = [
            vec![0.1, 0.2, 0.3],
            vec![0.15, 0.1, 0.3],
            vec![0.2, 0.2, 0.1],
            vec![0.05, 0.3, 0.4],
            vec![0.1, 0.2, 0.2],
        ];
        let test = Friedman::test(&errors).unwrap();
        assert_eq!(test.mean_ranks, [1.5, 2.0, 2.5]);
        assert_relative_eq!(test.chi_square, 25.0 / 9.0, max_relative = 1e-14);
        assert_relative_eq!(test.f.unwrap(), 20.0 / 13.0, max_relative = 1e-14);
        let p = 0.249_352_208_777_296_22;
        assert_relative_eq!(test.chi_square_p, p, max_relative = 1e-10);
        assert_relative_eq!(test.p_value, 0.272_071_711_629_324_85, max_relative = 1e-10);
    }

    /// J. Demšar, JMLR 7 (2006), Table 6: four classifiers on 14 datasets, with mean ranks 3.143, 2.000, 2.893 and 1.964. On
    /// voting he ranks the third above the fourth, which are equal to three digits. χ² corrected for ties is scipy 1.17's
    /// `friedmanchisquare`; his, 9.28 with F = 3.69, leaves ties uncorrected.
    #[test]
    fn the_published_example() {
        let accuracies = [
            [0.763, 0.768, 0.771, 0.798],
            [0.599, 0.591, 0.590, 0.569],
            [0.954, 0.971, 0.968, 0.967],
            [0.628, 0.661, 0.654, 0.657],
            [0.882, 0.888, 0.886, 0.898],
            [0.936, 0.931, 0.916, 0.931],
            [0.661, 0.668, 0.609, 0.685],
            [0.583, 0.583, 0.563, 0.625],
            [0.775, 0.838, 0.866, 0.875],
            [1.000, 1.000, 1.000, 1.000],
            [0.940, 0.962, 0.965, 0.962],
            [0.619, 0.666, 0.614, 0.669],
            [0.972, 0.981, 0.9751, 0.975],
            [0.957, 0.978, 0.946, 0.970],
        ];
        let errors: Vec<Vec<f64>> = accuracies
            .iter()
            .map(|line| line.iter().map(|a| 1.0 - a).collect())
            .collect();
        let test = Friedman::test(&errors).unwrap();
        for (found, expected) in test.mean_ranks.iter().zip([3.143, 2.0, 2.893, 1.964]) {
            assert!((found - expected).abs() < 5e-4, "{found}");
        }
        assert_relative_eq!(
            test.chi_square,
            10.228_346_456_692_925,
            max_relative = 1e-12
        );
        assert_relative_eq!(
            test.chi_square_p,
            0.016_721_580_328_441_323,
            max_relative = 1e-9
        );
        let squares: f64 = test.mean_ranks.iter().map(|rank| rank * rank).sum();
        let uncorrected = 12.0 * 14.0 / 20.0 * (squares - 25.0);
        assert!((uncorrected - 9.28).abs() < 0.005, "{uncorrected}");
    }

    #[test]
    fn all_alike_and_all_equal() {
        let same = vec![vec![0.1, 0.2, 0.3]; 3];
        let test = Friedman::test(&same).unwrap();
        assert_eq!((test.chi_square, test.f), (6.0, None));
        assert_relative_eq!(test.p_value, 1.0 / 36.0, max_relative = 1e-15);
        // Of six orders two give the ranks 1, 2½, 2½.
        let tied = Friedman::test(&vec![vec![0.1, 0.2, 0.2]; 4]).unwrap();
        assert_relative_eq!(tied.p_value, 1.0 / 27.0, max_relative = 1e-15);
        let equal = Friedman::test(&vec![vec![0.1; 3]; 4]).unwrap();
        assert_eq!((equal.chi_square, equal.p_value), (0.0, 1.0));
        assert_eq!(Friedman::test(&[vec![0.1, 0.2]]), None);
        assert_eq!(Friedman::test(&[vec![0.1, 0.2], vec![0.1]]), None);
        assert_eq!(Friedman::test(&[]), None);
    }

    proptest! {
        /// Ranks sum to k(k + 1)/2; names and order do not matter; without ties χ² is Friedman's own formula.
        #[test]
        fn what_holds_for_all_errors(
            lines in prop::collection::vec(prop::collection::vec(0_u32..50, 4), 2..12), turn in 0_usize..4,
        ) {
            let errors: Vec<Vec<f64>> = lines.iter()
                .map(|line| line.iter().map(|e| f64::from(*e) / 50.0).collect())
                .collect();
            let test = Friedman::test(&errors).unwrap();
            let (n, k) = (errors.len() as f64, 4.0);
            prop_assert!((test.mean_ranks.iter().sum::<f64>() - k * (k + 1.0) / 2.0).abs() < 1e-12);
            for p in [test.p_value, test.chi_square_p] {
                prop_assert!((0.0..=1.0).contains(&p));
            }
            let mut turned = errors.clone();
            for line in &mut turned {
                line.rotate_left(turn);
            }
            turned.reverse();
            let turned = Friedman::test(&turned).unwrap();
            prop_assert!((turned.chi_square - test.chi_square).abs() < 1e-10);
            prop_assert!((turned.p_value - test.p_value).abs() < 1e-10);
            let distinct = |line: &Vec<u32>| line.iter().all(|a| line.iter().filter(|b| a == *b).count() == 1);
            if lines.iter().all(distinct) {
                let squares: f64 = test.mean_ranks.iter().map(|r| r * r).sum();
                let plain = 12.0 * n / (k * (k + 1.0)) * (squares - k * (k + 1.0).powi(2) / 4.0);
                prop_assert!((test.chi_square - plain).abs() < 1e-10);
            }
        }
    }
}
