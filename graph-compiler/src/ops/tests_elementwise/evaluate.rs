//! A slow evaluator of scalar graphs, one primitive at a time, which rounds to the dtype after each.

use graph_ir::DType;

use crate::graph::{Binary, Graph, Prim, Scalar, Unary};

/// The only result of a graph of scalars whose every input is `x`; a bool counts as 0 or 1.
pub(super) fn evaluate(graph: &Graph, x: f64) -> f64 {
    let mut known: Vec<f64> = Vec::new();
    for id in graph.value_ids() {
        let ty = graph.ty(id);
        assert!(ty.dims.is_empty(), "{id:?} is no scalar");
        let get = |id: &crate::graph::ValueId| known[id.0 as usize];
        let value = match &graph.value(id).prim {
            Prim::Input(_) => x,
            Prim::Fill(Scalar::Float(value)) => *value,
            Prim::Fill(Scalar::Int(value)) => *value as f64,
            Prim::Unary(op, x) => unary(*op, get(x)),
            Prim::Binary(op, a, b) => binary(*op, get(a), get(b)),
            Prim::Select(condition, a, b) => get(if get(condition) == 0.0 { b } else { a }),
            Prim::Cast(x) | Prim::Reshape(x) | Prim::Broadcast(x) => get(x),
            other => panic!("{other:?} is not elementwise"),
        };
        known.push(round(value, ty.dtype));
    }
    known[graph.outputs[0].value.0 as usize]
}

fn round(value: f64, dtype: DType) -> f64 {
    match dtype {
        DType::F32 => f64::from(value as f32),
        // A bf16 is an f32 whose lower half is 0; halves go to the even neighbour.
        DType::BF16 if value.is_finite() => {
            let bits = (value as f32).to_bits();
            let rounded = bits + 0x7fff + (bits >> 16 & 1);
            f64::from(f32::from_bits(rounded & 0xffff_0000))
        }
        _ => value,
    }
}

fn unary(op: Unary, x: f64) -> f64 {
    match op {
        Unary::Neg => -x,
        Unary::Abs => x.abs(),
        Unary::Exp => x.exp(),
        Unary::Log1p => x.ln_1p(),
        Unary::Erfc => erfc(x),
        other => panic!("{other:?} is in no composite function"),
    }
}

fn binary(op: Binary, a: f64, b: f64) -> f64 {
    match op {
        Binary::Add => a + b,
        Binary::Mul => a * b,
        Binary::Div => a / b,
        Binary::Less => f64::from(u8::from(a < b)),
        // NaN stays, and 0.0 is larger than -0.0.
        Binary::Maximum if a.is_nan() || b.is_nan() => f64::NAN,
        Binary::Maximum if a == 0.0 && b == 0.0 => a + b,
        Binary::Maximum => a.max(b),
        Binary::Minimum if a.is_nan() || b.is_nan() => f64::NAN,
        Binary::Minimum => a.min(b),
        other => panic!("{other:?} is in no composite function"),
    }
}

/// One minus the error function, by the Maclaurin series of erf near zero and the continued fraction of erfc beyond.
/// Abramowitz and Stegun, 7.1.6 and 7.1.14.
pub(super) fn erfc(x: f64) -> f64 {
    if x.is_nan() || x.is_infinite() || x.abs() > 40.0 {
        return if x.is_nan() { x } else { 1.0 - x.signum() };
    }
    if x < 0.0 {
        return 2.0 - erfc(-x);
    }
    let gauss = (-x * x).exp();
    if x < 2.0 {
        let (mut term, mut sum) = (x, x);
        for n in 1..100 {
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
        }
        return 1.0 - std::f64::consts::FRAC_2_SQRT_PI * gauss * sum;
    }
    let fraction = (1..200).rev().fold(x, |rest, n| x + f64::from(n) / 2.0 / rest);
    gauss / fraction / std::f64::consts::PI.sqrt()
}
