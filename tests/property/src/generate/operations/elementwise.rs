//! Ops on one element each, and the matrix product.

use crate::dtype::DType;
use crate::evaluate::{Outcome, arithmetic, cast, integers, linear, mathematics, predicates};
use crate::generate::data;
use crate::generate::state::{Generator, Value, broadcasting};
use crate::generate::text::Argument;
use crate::tensor::{Element, Tensor};

/// Products of more terms than this cost the evaluator too much.
const PRODUCT_LIMIT: usize = 30_000;

impl Generator {
    pub(super) fn binary(&mut self, op: &'static str, dtype: DType) -> Option<()> {
        let x = self.any(dtype);
        let y = match op {
            "shift_left" | "shift_right" if self.random.chance(50) => self.shift_counts(dtype, x.dims()),
            "pow" if self.random.chance(60) => self.small_exponents(dtype),
            _ => self.partner(dtype, x.dims()),
        };
        // Both sides as literals would be a number, not a tensor.
        let (x, y) = if self.random.chance(35) { (y, x) } else { (x, y) };
        let divides = matches!(op, "div" | "rem" | "floor_div" | "floor_mod");
        if divides && dtype.is_integer() && y.known && y.tensor.elements.contains(&Element::Whole(0)) {
            return None;
        }
        // Negative counts are errors where they are known.
        let shifts = matches!(op, "shift_left" | "shift_right");
        if shifts && y.known && y.tensor.elements.iter().any(|count| count.whole() < 0) {
            return None;
        }
        let result = apply(op, &x.tensor, &y.tensor).ok()?;
        let text = self.binary_text(op, &x, &y);
        self.made(op, dtype, text, result, x.known && y.known)
    }

    fn shift_counts(&mut self, dtype: DType, dims: &[usize]) -> Value {
        let dims = broadcasting(&mut self.random, dims);
        let counts: Vec<i64> = (0..dims.iter().product())
            .map(|_| self.random.choose(&[0, 1, 2, 5, 7, 8, 31, 32, 63, 64]))
            .collect();
        self.holding(Tensor::wholes(dtype, &dims, &counts))
    }

    fn small_exponents(&mut self, dtype: DType) -> Value {
        let exponent = match dtype.is_float() {
            true => self.random.choose(&[2.0, 3.0, 0.5, -1.0, 0.0, 1.0, 1.5]),
            false if dtype == DType::U8 => self.random.choose(&[0.0, 1.0, 2.0, 3.0, 9.0]),
            false => self.random.choose(&[0.0, 1.0, 2.0, 3.0, 20.0, -1.0]),
        };
        let element = match dtype.is_float() {
            true => Element::Float(crate::real::Real::exact(exponent)),
            false => Element::Whole(exponent as i64),
        };
        self.literal(Tensor::new(dtype, &[], vec![element]))
    }

    pub(super) fn unary(&mut self, op: &'static str, dtype: DType) -> Option<()> {
        let x = self.any(dtype);
        let result = match op {
            "identity" => Ok((*x.tensor).clone()),
            "neg" | "abs" | "sign" | "square" | "relu" => arithmetic::unary(op, &x.tensor),
            "floor" | "ceil" | "round" => mathematics::rounding(op, &x.tensor),
            "is_nan" => predicates::is_nan(&x.tensor),
            "is_finite" => predicates::is_finite(&x.tensor),
            "logical_not" => predicates::logical_not(&x.tensor),
            "bitwise_not" => integers::bitwise_not(&x.tensor),
            _ => mathematics::function(op, &x.tensor),
        };
        let text = self.unary_text(op, &x);
        self.made(op, dtype, text, result.ok()?, x.known)
    }

    pub(super) fn clip(&mut self, dtype: DType) -> Option<()> {
        let x = self.any(dtype);
        let (low, high) = (self.random.between(0, 2), self.random.between(2, 5));
        let low = if dtype == DType::U8 { low } else { low - 3 };
        let mut limit = |n| self.literal(Tensor::new(dtype, &[], vec![Element::small(dtype, n)]));
        let (low, high) = (limit(low), limit(high));
        let result = arithmetic::clip(&x.tensor, &low.tensor, &high.tensor).ok()?;
        let arguments = vec![Some(x.argument("x")), Some(low.argument("min")), Some(high.argument("max"))];
        let text = self.call_text("clip", arguments, true);
        self.made("clip", dtype, text, result, x.known)
    }

    pub(super) fn select(&mut self, dtype: DType) -> Option<()> {
        let x = self.any(dtype);
        let y = self.partner(dtype, x.dims());
        let both = crate::tensor::common_dims(x.dims(), y.dims())?;
        let condition = self.partner(DType::Bool, &both);
        let (x, y) = if self.random.chance(50) { (y, x) } else { (x, y) };
        crate::tensor::common_dims(condition.dims(), &both)?;
        let result = predicates::select(&condition.tensor, &x.tensor, &y.tensor).ok()?;
        let receiver = !condition.literal;
        let arguments =
            vec![Some(condition.argument("condition")), Some(x.argument("x")), Some(y.argument("y"))];
        let text = self.call_text("select", arguments, receiver);
        self.made("select", dtype, text, result, condition.known && x.known && y.known)
    }

    pub(super) fn cast(&mut self, dtype: DType) -> Option<()> {
        let x = self.any(dtype);
        let target = self.random.choose(&DType::ALL);
        let result = cast::cast(&x.tensor, target).ok()?;
        let arguments = vec![Some(x.argument("x")), Some(Argument::new("dtype", target.name()))];
        let text = self.call_text("cast", arguments, true);
        self.made("cast", dtype, text, result, x.known)
    }

    pub(super) fn matmul(&mut self, dtype: DType) -> Option<()> {
        let is_matrix = |x: &Tensor| x.rank() >= 2;
        let a = self.operand(
            dtype,
            &|random| loop {
                let dims = data::dims(random);
                if dims.len() >= 2 {
                    break dims;
                }
            },
            &is_matrix,
        );
        let (transpose_a, transpose_b) = (self.random.chance(30), self.random.chance(30));
        let (batch, matrix) = a.dims().split_at(a.dims().len() - 2);
        let inner = if transpose_a { matrix[0] } else { matrix[1] };
        let fits = |x: &Tensor| {
            x.rank() >= 2
                && x.dims[x.rank() - if transpose_b { 1 } else { 2 }] == inner
                && crate::tensor::common_dims(&x.dims[..x.rank() - 2], batch).is_some()
        };
        let b = self.operand(
            dtype,
            &|random| {
                let columns = data::size(random);
                let own = if transpose_b { [columns, inner] } else { [inner, columns] };
                [broadcasting(random, batch).as_slice(), &own].concat()
            },
            &fits,
        );
        let dims = crate::tensor::common_dims(batch, &b.dims()[..b.dims().len() - 2])?;
        let rows = matrix.iter().product::<usize>();
        let columns = b.dims()[b.dims().len() - 2..].iter().product::<usize>();
        if dims.len() + 2 > super::RANK_LIMIT
            || dims.iter().product::<usize>() * rows * columns / inner.max(1) > PRODUCT_LIMIT
        {
            return None;
        }
        let result = linear::matmul(&a.tensor, &b.tensor, transpose_a, transpose_b).ok()?;
        let flag =
            |name, flag: bool, says: bool| (flag || says).then(|| Argument::new(name, flag.to_string()));
        let (say_a, say_b) = (self.random.chance(8), self.random.chance(8));
        let arguments = vec![
            Some(a.argument("a")),
            Some(b.argument("b")),
            flag("transpose_a", transpose_a, say_a),
            flag("transpose_b", transpose_b, say_b),
        ];
        let text = self.call_text("matmul", arguments, true);
        self.made("matmul", dtype, text, result, a.known && b.known)
    }
}

fn apply(op: &str, x: &Tensor, y: &Tensor) -> Outcome {
    match op {
        "equal" | "not_equal" | "less" | "less_equal" | "greater" | "greater_equal" => {
            predicates::compare(op, x, y)
        }
        "logical_and" | "logical_or" | "logical_xor" => predicates::logical(op, x, y),
        "bitwise_and" | "bitwise_or" | "bitwise_xor" | "shift_left" | "shift_right" => {
            integers::bits(op, x, y)
        }
        _ => arithmetic::binary(op, x, y),
    }
}
