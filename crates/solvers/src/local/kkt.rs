//! The reduced system `H Δx = r`: everything but x eliminated.

use super::blocks::Blocks;
use super::data::ConicData;
use super::jacobians::{BLOCK_ROWS, add_gram, blocks, rows_of};
use super::sample::{Weights, respond};
use super::scalings::Scalings;
use crate::interior_point::dot;
use crate::linear_system::{LinearSystem, NotFactorisable};
use faer::MatMut;
use ndarray::ArrayView2;
use robust_svm_core::linalg::{matmul, matmul_transposed};

/// The factorised system, with all the memory it needs.
pub(super) struct Kkt {
    system: LinearSystem,
    /// `p = μ/ξ` (L).
    pub(super) ratios: Vec<f64>,
    /// `η⁻²γ²` (L).
    squares: Vec<f64>,
    /// The weighted rows of a block: of the hinges, and of the q.
    hinges: Vec<f64>,
    radials: Vec<f64>,
    directions: Vec<f64>,
    image: Blocks,
}

impl Kkt {
    pub(super) fn new(data: &ConicData) -> Self {
        Self {
            system: LinearSystem::new(data.width),
            ratios: vec![0.0; data.samples],
            squares: vec![0.0; data.samples],
            hinges: vec![0.0; BLOCK_ROWS * (data.dim + 2)],
            radials: vec![0.0; BLOCK_ROWS * data.dim],
            directions: vec![0.0; BLOCK_ROWS * data.n],
            image: Blocks::zeros(data),
        }
    }

    /// Assembles and factorises H.
    pub(super) fn factorise(
        &mut self,
        data: &mut ConicData,
        scalings: &Scalings,
    ) -> Result<(), NotFactorisable> {
        self.assemble(data, scalings);
        self.system.factorise()
    }

    /// The lower half of H.
    fn assemble(&mut self, data: &mut ConicData, scalings: &Scalings) {
        self.system.matrix.fill(0.0);
        self.add_samples(data, scalings);
        let width = data.width;
        data.jacobians
            .add_weighted_squares(&self.squares, &mut self.system.matrix, width);
        for k in 0..data.dim {
            self.system.matrix[k * (width + 1)] += data.lambda;
        }
        self.system.matrix[data.dim * (width + 1)] += data.ridge;
        self.add_curvature_cones(data, scalings);
        self.add_matrix_cone(data, scalings);
    }

    /// Adds the hinge rows and subtracts the radial ones, a block of samples at a time.
    fn add_samples(&mut self, data: &mut ConicData, scalings: &Scalings) {
        let (dim, n, width) = (data.dim, data.n, data.width);
        for rows in blocks(data.samples) {
            let directions = &mut self.directions[..rows.len() * n];
            for (i, direction) in rows.clone().zip(directions.chunks_exact_mut(n)) {
                let w1 = &scalings.samples.scaling(i).w()[1..];
                for (direction, w) in direction.iter_mut().zip(w1) {
                    *direction = data.radii[i] * w;
                }
            }
            let radials = &mut self.radials[..rows.len() * dim];
            data.jacobians
                .push_forward(rows.clone(), directions, radials);
            let hinges = &mut self.hinges[..rows.len() * (dim + 2)];
            let pairs = hinges
                .chunks_exact_mut(dim + 2)
                .zip(radials.chunks_exact_mut(dim));
            for (i, (hinge, q)) in rows.zip(pairs) {
                let weights = Weights::new(scalings.samples.scaling(i), self.ratios[i]);
                self.squares[i] = weights.square * data.radii[i] * data.radii[i];
                let (root, radial) = (weights.hinge.sqrt(), weights.radial.sqrt());
                let b = &data.b[i * (dim + 2)..(i + 1) * (dim + 2)];
                hinge[dim] = root * b[dim];
                hinge[dim + 1] = root * b[dim + 1];
                for ((hinge, b), q) in hinge.iter_mut().zip(b).zip(q) {
                    *hinge = root * (b - weights.turn * *q);
                    *q *= radial;
                }
            }
            let mut h = MatMut::from_column_major_slice_mut(&mut self.system.matrix, width, width);
            let (hinges, radials) = (rows_of(hinges, dim + 2), rows_of(radials, dim));
            add_gram(
                hinges,
                hinges,
                1.0,
                h.as_mut().submatrix_mut(0, 0, dim + 2, dim + 2),
            );
            add_gram(radials, radials, -1.0, h.submatrix_mut(0, 0, dim, dim));
        }
    }

    /// Adds `η⁻²(2(Jw)(Jw)ᵀ − J)` of each cone `(head, scale ζ_j)`.
    fn add_curvature_cones(&mut self, data: &ConicData, scalings: &Scalings) {
        let (c, width) = (&data.curvature, data.width);
        for j in 0..c.count {
            let scaling = scalings.curvature.scaling(j);
            let square = scaling.eta().powi(-2);
            let (w0, w1) = (scaling.w()[0], &scaling.w()[1..]);
            let (first, head) = (j * c.tail, data.dim + 1 + c.head(j));
            self.system.matrix[head * (width + 1)] += square * (w0 * w0 + dot(w1, w1));
            let scale = square * c.scale;
            for (k, wk) in w1.iter().enumerate() {
                let column = &mut self.system.matrix[(first + k) * width..][..width];
                column[head] -= 2.0 * scale * w0 * wk;
                for (value, wl) in column[first + k..].iter_mut().zip(&w1[k..]) {
                    *value += 2.0 * scale * c.scale * wk * wl;
                }
                column[first + k] += scale * c.scale;
            }
        }
    }

    /// Adds `‖R⁻¹(Δr I − Σ Δa_jω̂_jω̂_jᵀ)R^{−⊤}‖²_F`: with `v_j = R⁻¹ω̂_j` and `T = R⁻¹R^{−⊤}`, `⟨v_j, v_k⟩²`, `−v_jᵀTv_j` and
    /// `‖T‖²_F`.
    fn add_matrix_cone(&mut self, data: &ConicData, scalings: &Scalings) {
        let (Some(matrix), Some(frequencies)) = (&scalings.matrix, &data.curvature.frequencies)
        else {
            return;
        };
        let (count, n, width) = (data.curvature.count, data.n, data.width);
        let frequencies =
            ArrayView2::from_shape((count, n), frequencies).expect("a row for each wave");
        let inverse = matrix.inverse();
        let turned = matmul_transposed(frequencies, inverse);
        let t = matmul_transposed(inverse, inverse);
        let products = matmul_transposed(turned.view(), turned.view());
        let stretched = matmul(turned.view(), t.view());
        let r = data.dim + 1;
        let h = &mut self.system.matrix;
        h[r * (width + 1)] += t.iter().map(|t| t * t).sum::<f64>();
        for j in 0..count {
            h[r * width + r + 1 + j] -= stretched.row(j).dot(&turned.row(j));
            let column = &mut h[(r + 1 + j) * width + r + 1..][..count];
            for (value, product) in column[j..].iter_mut().zip(products.row(j).iter().skip(j)) {
                *value += product * product;
            }
        }
    }

    /// Solves `H x = r`.
    pub(super) fn solve(
        &mut self,
        data: &mut ConicData,
        scalings: &mut Scalings,
        r: &[f64],
        x: &mut [f64],
    ) {
        let (ratios, image) = (&self.ratios, &mut self.image);
        let apply = |x: &[f64], product: &mut [f64]| {
            apply(data, scalings, ratios, image, x, product);
        };
        self.system.solve(apply, r, x);
    }
}

/// `product = H x`, H as an operator.
fn apply(
    data: &mut ConicData,
    scalings: &mut Scalings,
    ratios: &[f64],
    image: &mut Blocks,
    x: &[f64],
    product: &mut [f64],
) {
    data.mul(x, image);
    let cones = image.samples.chunks_exact_mut(data.n + 1);
    for (i, (cone, p)) in cones.zip(ratios).enumerate() {
        respond(scalings.samples.scaling(i), *p, cone, None, 0.0);
    }
    scalings.apply_inverse_twice_to_curvature(image);
    // The samples' responses have the sign of Δz, the curvature's the opposite.
    for value in &mut image.samples {
        *value = -*value;
    }
    product.fill(0.0);
    for (h, ζ) in product[..data.dim].iter_mut().zip(x) {
        *h = data.lambda * ζ;
    }
    product[data.dim] = data.ridge * x[data.dim];
    data.add_mul_transposed(image, product);
}

#[cfg(test)]
mod tests {
    use super::{Kkt, apply};
    use crate::local::blocks::Blocks;
    use crate::local::data::ConicData;
    use crate::local::scalings::Scalings;
    use crate::local::variables::Variables;
    use crate::{Intercept, LocalPenalty, SublinearProblem};
    use ndarray::{Array1, Array2, array, s};
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha20Rng;
    use rand_distr::StandardNormal;
    use robust_svm_core::features::{FeatureMap, Features, Nystrom, Rff};
    use robust_svm_core::kernel::GaussianKernel;
    use robust_svm_core::uncertainty::{Factor, Norm, UncertaintySet, UncertaintySets};
    use std::sync::Arc;

    /// The matrix that is factorised is the operator that the solve is refined against: at a random point inside the
    /// cones, for every kind of map and rule for the intercept.
    #[test]
    fn the_matrix_is_the_operator() {
        let mut rng = ChaCha20Rng::seed_from_u64(5);
        let x: Array2<f64> = Array2::from_shape_simple_fn((30, 3), || rng.sample(StandardNormal));
        let y = Array1::from_shape_fn(30, |i| if i % 3 == 0 { 1.0 } else { -1.0 });
        let kernel = GaussianKernel::new(1.2).unwrap();
        let shape = Factor::Diagonal(array![1.0, 0.5, 2.0]);
        let set = UncertaintySet::new(Norm::Two, shape).unwrap();
        let sizes = Array1::from_shape_simple_fn(30, || rng.gen_range(0.0..1.0));
        let sets = UncertaintySets::from(&set).with_sizes(sizes).unwrap();
        let landmarks = x.slice(s![..7, ..]).to_owned();
        let maps = [
            Features::Rff(Arc::new(Rff::draw(kernel, 3, 10, &mut rng).unwrap())),
            Features::Rff(Arc::new(Rff::draw_phased(kernel, 3, 7, &mut rng).unwrap())),
            Features::Nystrom(Arc::new(Nystrom::new(kernel, landmarks).unwrap())),
        ];
        let rules = [Intercept::Free, Intercept::Penalised, Intercept::None];
        for (map, rule) in maps.into_iter().zip(rules) {
            let phi = map.transform(x.view());
            let penalty = LocalPenalty::new(&map, &sets, x.view(), 0.8).unwrap();
            let problem = SublinearProblem::new(phi.view(), y.view(), &penalty, 0.3).unwrap();
            let problem = problem.with_intercept(rule);
            let mut data = ConicData::new(&problem, &penalty, &set).unwrap();
            let mut v = Variables::start(&mut data).unwrap();
            // Into the cones by up to half of what the heads allow.
            for (blocks, cone) in [(&mut v.s, 4), (&mut v.z, 4)] {
                for cone in blocks.samples.chunks_exact_mut(cone) {
                    let head = cone[0];
                    cone[1..].fill_with(|| 0.28 * head * rng.gen_range(-1.0..1.0));
                }
                let tail = data.curvature.tail;
                let reach = 0.5 / (tail as f64).sqrt();
                for cone in blocks.curvature.chunks_exact_mut(tail + 1) {
                    let head = cone[0];
                    cone[1..].fill_with(|| reach * head * rng.gen_range(-1.0..1.0));
                }
            }
            let mut scalings = Scalings::new(&data);
            scalings.update(&v.s, &v.z).unwrap();
            let mut kkt = Kkt::new(&data);
            kkt.ratios.fill_with(|| rng.gen_range(0.1..10.0));
            kkt.assemble(&mut data, &scalings);
            let (width, mut image) = (data.width, Blocks::zeros(&data));
            let mut product = vec![0.0; width];
            let scale = kkt
                .system
                .matrix
                .iter()
                .fold(0.0_f64, |m, h| m.max(h.abs()));
            for k in 0..width {
                let mut unit = vec![0.0; width];
                unit[k] = 1.0;
                apply(
                    &mut data,
                    &mut scalings,
                    &kkt.ratios,
                    &mut image,
                    &unit,
                    &mut product,
                );
                let column = &kkt.system.matrix[k * width..(k + 1) * width];
                for (l, (h, expected)) in column.iter().zip(&product).enumerate().skip(k) {
                    assert!(
                        (h - expected).abs() <= 1e-11 * scale,
                        "({l}, {k}): {h} {expected}"
                    );
                }
            }
        }
    }
}
