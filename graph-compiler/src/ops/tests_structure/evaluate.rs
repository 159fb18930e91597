//! A slow evaluator of primitives, one element at a time, for the ops of these tests.

use graph_ir::DType;

use crate::graph::{Binary, Constant, Graph, Prim, Reduce, Scalar, Unary, ValueId};

/// A tensor: dims and elements in row-major order.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tensor {
    pub(super) dims: Vec<u64>,
    pub(super) elements: Vec<Scalar>,
}

/// The results of a graph without inputs, or the index that is out of range.
pub(super) fn evaluate(graph: &Graph) -> Result<Vec<Tensor>, i64> {
    let mut known: Vec<Tensor> = Vec::new();
    for id in graph.value_ids() {
        let dims = graph.ty(id).dims.to_vec();
        let elements = positions(&dims)
            .map(|at| element(graph, &known, id, &at).map(|element| round(element, graph.ty(id).dtype)))
            .collect::<Result<_, _>>()?;
        known.push(Tensor { dims, elements });
    }
    Ok(graph.outputs.iter().map(|output| known[output.value.0 as usize].clone()).collect())
}

/// Every index of a shape, in row-major order.
fn positions(dims: &[u64]) -> impl Iterator<Item = Vec<u64>> + use<> {
    let dims = dims.to_vec();
    (0..dims.iter().product()).map(move |mut number: u64| {
        let mut at = vec![0; dims.len()];
        for axis in (0..dims.len()).rev() {
            at[axis] = number % dims[axis];
            number /= dims[axis];
        }
        at
    })
}

fn place(dims: &[u64], at: &[u64]) -> usize {
    assert_eq!(dims.len(), at.len());
    dims.iter().zip(at).fold(0, |place, (dim, i)| {
        assert!(i < dim, "{at:?} is outside {dims:?}");
        place * dim + i
    }) as usize
}

fn element(graph: &Graph, known: &[Tensor], id: ValueId, at: &[u64]) -> Result<Scalar, i64> {
    let ty = graph.ty(id);
    let get = |x: &ValueId, at: &[u64]| {
        let x = &known[x.0 as usize];
        x.elements[place(&x.dims, at)]
    };
    let dims = |x: &ValueId| known[x.0 as usize].dims.clone();
    Ok(match &graph.value(id).prim {
        Prim::Constant(index) => {
            let Constant::Bytes(bytes) = &graph.constants[*index as usize] else {
                panic!("a path has no value")
            };
            let size = ty.dtype.size() as usize;
            let start = place(&ty.dims, at) * size;
            read(&bytes[start..start + size], ty.dtype)
        }
        Prim::Fill(value) => *value,
        Prim::Iota { axis } => Scalar::whole(ty.dtype, at[*axis] as i64),
        Prim::Unary(op, x) => {
            let Scalar::Float(x) = get(x, at) else { panic!("{op:?} of no float") };
            // Results are rounded, so that an exact answer in f64 is exact in f32.
            Scalar::Float(match op {
                Unary::Exp => x.exp(),
                Unary::Log => x.ln(),
                Unary::Sqrt => x.sqrt(),
                other => panic!("{other:?} is not of these ops"),
            })
        }
        Prim::Binary(op, a, b) => binary(*op, get(a, at), get(b, at)),
        Prim::Cast(x) => cast(get(x, at), ty.dtype),
        Prim::Broadcast(x) => {
            let from = dims(x);
            let own = &at[at.len() - from.len()..];
            let own: Vec<u64> = from.iter().zip(own).map(|(&dim, &i)| if dim == 1 { 0 } else { i }).collect();
            get(x, &own)
        }
        Prim::Reshape(x) => known[x.0 as usize].elements[place(&ty.dims, at)],
        Prim::Transpose { x, axes } => {
            let mut from = vec![0; axes.len()];
            axes.iter().zip(at).for_each(|(&axis, &i)| from[axis] = i);
            get(x, &from)
        }
        Prim::Slice { x, start, step } => {
            let from: Vec<u64> = (0..at.len())
                .map(|axis| (i128::from(start[axis]) + i128::from(step[axis]) * i128::from(at[axis])) as u64)
                .collect();
            get(x, &from)
        }
        Prim::Pad { x, low, value } => {
            let from: Option<Vec<u64>> = at
                .iter()
                .zip(low)
                .zip(dims(x))
                .map(|((i, low), dim)| i.checked_sub(*low).filter(|i| *i < dim))
                .collect();
            from.map_or(*value, |from| get(x, &from))
        }
        Prim::Concat { xs, axis } => {
            let mut from = at.to_vec();
            for x in xs {
                let size = dims(x)[*axis];
                if from[*axis] < size {
                    return Ok(get(x, &from));
                }
                from[*axis] -= size;
            }
            panic!("{at:?} is behind the last part")
        }
        Prim::Gather { x, indices, axis } => {
            let rank = dims(indices).len();
            let Scalar::Int(index) = get(indices, &at[*axis..axis + rank]) else { panic!("no index") };
            let mut from = at[..*axis].to_vec();
            from.push(index as u64);
            from.extend(&at[axis + rank..]);
            get(x, &from)
        }
        Prim::CheckIndex { x, bound } => match get(x, at) {
            Scalar::Int(index) if index < 0 || index as u64 >= *bound => return Err(index),
            index => index,
        },
        Prim::Reduce { op, x, axes } => {
            let from = dims(x);
            let inner: Vec<u64> = axes.iter().map(|&axis| from[axis]).collect();
            let all = positions(&inner).map(|inner| {
                let (mut inner, mut outer) = (inner.iter(), at.iter());
                let next = |axis| if axes.contains(&axis) { inner.next() } else { outer.next() };
                let at: Vec<u64> =
                    (0..from.len()).map(next).map(|i| *i.expect("an index for each axis")).collect();
                get(x, &at)
            });
            reduce(*op, all.collect(), ty.dtype)
        }
        Prim::ArgReduce { largest, x, axis } => {
            let along = |i: u64| {
                let mut from = at.to_vec();
                from.insert(*axis, i);
                number(get(x, &from))
            };
            let better = |a: f64, b: f64| a.is_nan() && !b.is_nan() || if *largest { a > b } else { a < b };
            let mut best = 0;
            for i in 1..dims(x)[*axis] {
                if better(along(i), along(best)) {
                    best = i;
                }
            }
            Scalar::Int(best as i64)
        }
        Prim::CumSum { x, axis, exclusive, reverse } => {
            let here = at[*axis];
            let included = |i: &u64| match (reverse, exclusive) {
                (false, false) => *i <= here,
                (false, true) => *i < here,
                (true, false) => *i >= here,
                (true, true) => *i > here,
            };
            let terms = (0..ty.dims[*axis]).filter(included).map(|i| {
                let mut from = at.to_vec();
                from[*axis] = i;
                get(x, &from)
            });
            reduce(Reduce::Sum, terms.collect(), ty.dtype)
        }
        other => panic!("{other:?} is not of these ops"),
    })
}

fn number(x: Scalar) -> f64 {
    match x {
        Scalar::Float(x) => x,
        Scalar::Int(x) => x as f64,
        Scalar::Bool(x) => f64::from(u8::from(x)),
    }
}

fn binary(op: Binary, a: Scalar, b: Scalar) -> Scalar {
    match (op, a, b) {
        (Binary::Equal, a, b) => Scalar::Bool(number(a) == number(b)),
        (Binary::Add, Scalar::Float(a), Scalar::Float(b)) => Scalar::Float(a + b),
        (Binary::Sub, Scalar::Float(a), Scalar::Float(b)) => Scalar::Float(a - b),
        (Binary::Mul, Scalar::Float(a), Scalar::Float(b)) => Scalar::Float(a * b),
        (Binary::Div, Scalar::Float(a), Scalar::Float(b)) => Scalar::Float(a / b),
        (Binary::Add, Scalar::Int(a), Scalar::Int(b)) => Scalar::Int(a.wrapping_add(b)),
        (Binary::Mul, Scalar::Int(a), Scalar::Int(b)) => Scalar::Int(a.wrapping_mul(b)),
        (op, a, b) => panic!("{op:?} of {a:?} and {b:?} is not of these ops"),
    }
}

fn reduce(op: Reduce, elements: Vec<Scalar>, dtype: DType) -> Scalar {
    let extreme = |largest: bool| {
        let better = |a: f64, b: f64| a.is_nan() || if largest { a > b } else { a < b };
        let pick = |best: Scalar, x: &Scalar| {
            if number(best).is_nan() || !better(number(*x), number(best)) { best } else { *x }
        };
        elements[1..].iter().fold(elements[0], pick)
    };
    let fold = |op: Binary, start: i64| {
        // Half types accumulate in f32.
        let wide = if matches!(dtype, DType::F16 | DType::BF16) { DType::F32 } else { dtype };
        elements.iter().fold(Scalar::whole(dtype, start), |sum, x| round(binary(op, sum, *x), wide))
    };
    match op {
        Reduce::Sum => fold(Binary::Add, 0),
        Reduce::Prod => fold(Binary::Mul, 1),
        Reduce::Max => extreme(true),
        Reduce::Min => extreme(false),
        Reduce::Any => Scalar::Bool(elements.contains(&Scalar::Bool(true))),
        Reduce::All => Scalar::Bool(!elements.contains(&Scalar::Bool(false))),
    }
}

fn cast(x: Scalar, dtype: DType) -> Scalar {
    match dtype {
        DType::Bool => Scalar::Bool(number(x) != 0.0),
        dtype if dtype.is_float() => Scalar::Float(number(x)),
        _ => match x {
            Scalar::Int(x) => Scalar::Int(x),
            other => Scalar::Int(number(other) as i64),
        },
    }
}

/// The element as its dtype stores it.
fn round(x: Scalar, dtype: DType) -> Scalar {
    let mut bytes = Vec::new();
    x.write(dtype, &mut bytes);
    match read(&bytes, dtype) {
        // The sign of a NaN means nothing.
        Scalar::Float(x) if x.is_nan() => Scalar::Float(f64::NAN),
        x => x,
    }
}

fn read(bytes: &[u8], dtype: DType) -> Scalar {
    let half = || u16::from_le_bytes(bytes.try_into().expect("two bytes"));
    match dtype {
        DType::F32 => Scalar::Float(f32::from_le_bytes(bytes.try_into().expect("four bytes")).into()),
        DType::F64 => Scalar::Float(f64::from_le_bytes(bytes.try_into().expect("eight bytes"))),
        DType::BF16 => Scalar::Float(f32::from_bits(u32::from(half()) << 16).into()),
        DType::F16 => Scalar::Float(from_half(half())),
        DType::I32 => Scalar::Int(i32::from_le_bytes(bytes.try_into().expect("four bytes")).into()),
        DType::I64 => Scalar::Int(i64::from_le_bytes(bytes.try_into().expect("eight bytes"))),
        DType::U8 => Scalar::Int(bytes[0].into()),
        DType::Bool => Scalar::Bool(bytes[0] != 0),
    }
}

fn from_half(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023));
    sign * match exponent {
        0 => mantissa * 2f64.powi(-24),
        31 if mantissa == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + mantissa) * 2f64.powi(exponent - 25),
    }
}
