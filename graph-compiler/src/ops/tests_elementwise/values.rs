//! Values of the ops that are made of several primitives, where they are hard: at the ends and near them.

use graph_ir::DType;

use super::evaluate::{erfc, evaluate};
use super::graph;
use crate::graph::Prim;

const INFINITY: f64 = f64::INFINITY;

/// 2^100, whose square is exact.
const LARGE: f64 = (1u128 << 100) as f64;

#[track_caller]
fn assert_same(found: f64, wanted: f64, what: &str) {
    let same = found.to_bits() == wanted.to_bits() || (found.is_nan() && wanted.is_nan());
    assert!(same, "{what}: found {found:?}, wanted {wanted:?}");
}

#[track_caller]
fn assert_near(found: f64, wanted: f64, tolerance: f64, what: &str) {
    assert!((found - wanted).abs() <= tolerance * wanted.abs(), "{what}: found {found:e}, wanted {wanted:e}");
}

#[test]
fn limits_are_exact_and_nan_stays() {
    // At -infinity, a large negative number, -0.0, 0.0, a large number, infinity.
    let expected = [
        ("sigmoid", [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]),
        ("gelu", [-0.0, -0.0, -0.0, 0.0, LARGE, INFINITY]),
        ("relu", [0.0, 0.0, 0.0, 0.0, LARGE, INFINITY]),
        ("square", [INFINITY, LARGE * LARGE, 0.0, 0.0, LARGE * LARGE, INFINITY]),
    ];
    for (name, values) in expected {
        let graph = graph(&format!("|x: f64| {name}(x)"));
        let inputs = [-INFINITY, -LARGE, -0.0, 0.0, LARGE, INFINITY, f64::NAN];
        for (input, wanted) in inputs.into_iter().zip(values.into_iter().chain([f64::NAN])) {
            assert_same(evaluate(&graph, input), wanted, &format!("{name}({input:?})"));
        }
    }
    let softplus = graph("|x: f64| softplus(x)");
    let expected =
        [(-INFINITY, 0.0), (-LARGE, 0.0), (LARGE, LARGE), (INFINITY, INFINITY), (f64::NAN, f64::NAN)];
    for (input, wanted) in expected {
        assert_same(evaluate(&softplus, input), wanted, &format!("softplus({input:?})"));
    }
}

#[test]
fn narrow_floats_have_the_same_limits() {
    for (dtype, name) in ["f32", "bf16"]
        .into_iter()
        .flat_map(|dtype| ["sigmoid", "gelu", "softplus"].map(|name| (dtype, name)))
    {
        let graph = graph(&format!("|x: {dtype}| {name}(x)"));
        let (least, most) = match name {
            "sigmoid" => (0.0, 1.0),
            "gelu" => (-0.0, INFINITY),
            _ => (0.0, INFINITY),
        };
        for (input, wanted) in [(-INFINITY, least), (INFINITY, most), (f64::NAN, f64::NAN)] {
            assert_same(evaluate(&graph, input), wanted, &format!("{name}({input:?}) in {dtype}"));
        }
    }
}

#[test]
fn sigmoid_keeps_small_results() {
    let (single, double) = (graph("|x: f32| sigmoid(x)"), graph("|x: f64| sigmoid(x)"));
    for i in -1400..=1400 {
        let x = f64::from(i) * 0.5;
        let wanted = if x < 0.0 { x.exp() / (1.0 + x.exp()) } else { 1.0 / (1.0 + (-x).exp()) };
        assert_near(evaluate(&double, x), wanted, 4.0 * f64::EPSILON, &format!("sigmoid({x})"));
        let found = evaluate(&single, x);
        // A subnormal has fewer bits: half of the smallest one is the bound there.
        let bound = 2.0 * f64::from(f32::EPSILON) * wanted + f64::from(f32::from_bits(1));
        assert!((found - wanted).abs() <= bound, "sigmoid({x}) in f32: {found:e}, {wanted:e}");
    }
    // Above exp(-x) = infinity in f32, the result is no 0 yet.
    assert!(evaluate(&single, -89.0) > 0.0 && evaluate(&single, -100.0) > 0.0);
}

#[test]
fn softplus_keeps_small_results() {
    let softplus = graph("|x: f64| softplus(x)");
    for (input, wanted) in [
        (0.0, std::f64::consts::LN_2),
        (-50.0, (-50.0f64).exp()),
        (-700.0, (-700.0f64).exp()),
        (1.0, 1.3132616875182228),
        (50.0, 50.0),
    ] {
        assert_near(evaluate(&softplus, input), wanted, 4.0 * f64::EPSILON, &format!("softplus({input})"));
    }
}

/// SciPy's `x * norm.cdf(x)`, to the digits of f64.
#[test]
fn gelu_is_the_exact_form() {
    let gelu = graph("|x: f64| gelu(x)");
    for (input, wanted) in [
        (1.0, 0.8413447460685429),
        (-1.0, -0.15865525393145707),
        (2.0, 1.9544997361036416),
        (-3.0, -0.00404969409489031),
    ] {
        assert_near(evaluate(&gelu, input), wanted, 1e-13, &format!("gelu({input})"));
    }
    for i in -80..=80 {
        let x = f64::from(i) * 0.25;
        let wanted = x / 2.0 * erfc(-x * std::f64::consts::FRAC_1_SQRT_2);
        assert_near(evaluate(&gelu, x), wanted, 1e-12, &format!("gelu({x})"));
    }
}

#[test]
fn clip_keeps_nan_and_the_upper_bound_wins() {
    let between = graph("|x: f64| clip(x, -1, 2)");
    for (input, wanted) in [(-INFINITY, -1.0), (0.5, 0.5), (INFINITY, 2.0), (f64::NAN, f64::NAN)] {
        assert_same(evaluate(&between, input), wanted, &format!("clip({input:?})"));
    }
    let crossed = graph("|x: f64| clip(x, 2, -1)");
    [-5.0, 0.0, 5.0].into_iter().for_each(|x| assert_same(evaluate(&crossed, x), -1.0, "clip"));
    let unknown = graph("|x: f64| clip(x, f64::NAN, 1)");
    assert_same(evaluate(&unknown, 0.0), f64::NAN, "clip with a bound that is NaN");
}

#[test]
fn half_composites_compute_in_f32_and_round_once() {
    for (dtype, name) in ["f16", "bf16"]
        .into_iter()
        .flat_map(|dtype| ["sigmoid", "gelu", "softplus"].map(|name| (dtype, name)))
    {
        let graph = graph(&format!("|x: {dtype}[3]| {name}(x)"));
        let halves: Vec<&Prim> = graph
            .values
            .iter()
            .filter(|value| matches!(value.ty.dtype, DType::F16 | DType::BF16))
            .map(|value| &value.prim)
            .collect();
        assert!(matches!(halves[..], [Prim::Input(0), Prim::Cast(_)]), "{name} of {dtype}:\n{graph}");
        let wide = graph.values.iter().filter(|value| value.ty.dtype == DType::F32).count();
        assert!(wide > 3, "{name} of {dtype}:\n{graph}");
    }
}
