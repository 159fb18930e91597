//! One call of each op, with random operands and parameters.

mod constants;
mod elementwise;
mod joins;
mod networks;
mod reductions;
mod shapes;

use super::state::Generator;
use crate::dtype::DType;

/// Axes of tensors stay below this, so that every result is an array that `ndarray` has a type for.
const RANK_LIMIT: usize = 5;

impl Generator {
    /// Writes a call of `op` with a first operand (or, without operands, a result) of `dtype`. `None` when the
    /// operands found do not fit, or leave the result undecided; the state is then to be thrown away.
    pub(super) fn attempt(&mut self, op: &'static str, dtype: DType) -> Option<()> {
        match op {
            "constant" | "zeros" | "ones" | "fill" | "range" | "eye" => self.constant(op, dtype),
            "add" | "sub" | "mul" | "div" | "rem" | "floor_div" | "floor_mod" | "pow" | "minimum"
            | "maximum" | "equal" | "not_equal" | "less" | "less_equal" | "greater" | "greater_equal"
            | "logical_and" | "logical_or" | "logical_xor" | "bitwise_and" | "bitwise_or" | "bitwise_xor"
            | "shift_left" | "shift_right" => self.binary(op, dtype),
            "identity" | "neg" | "abs" | "sign" | "square" | "relu" | "sqrt" | "rsqrt" | "exp" | "log"
            | "log1p" | "expm1" | "sin" | "cos" | "tan" | "tanh" | "sigmoid" | "gelu" | "erf"
            | "softplus" | "floor" | "ceil" | "round" | "is_nan" | "is_finite" | "logical_not"
            | "bitwise_not" => self.unary(op, dtype),
            "clip" => self.clip(dtype),
            "select" => self.select(dtype),
            "cast" => self.cast(dtype),
            "matmul" => self.matmul(dtype),
            "sum" | "mean" | "prod" | "max" | "min" | "any" | "all" => self.reduce(op, dtype),
            "argmax" | "argmin" => self.position(op, dtype),
            "cumsum" => self.cumsum(dtype),
            "reshape" => self.reshape(dtype),
            "transpose" | "reverse" => self.reorder(op, dtype),
            "expand_dims" => self.expand_dims(dtype),
            "squeeze" => self.squeeze(dtype),
            "broadcast_to" => self.broadcast_to(dtype),
            "tile" => self.tile(dtype),
            "add_n" | "concat" | "stack" => self.join(op, dtype),
            "split" => self.split(dtype),
            "slice" => self.slice(dtype),
            "index" => self.index(dtype),
            "pad" => self.pad(dtype),
            "softmax" | "log_softmax" => self.softmax(op, dtype),
            "layer_norm" => self.layer_norm(dtype),
            "one_hot" => self.one_hot(dtype),
            "gather" => self.gather(dtype),
            _ => panic!("`{op}` is not in the catalogue"),
        }
    }

    /// An axis of `rank`, written from either end.
    fn axis(&mut self, rank: usize) -> i64 {
        let axis = self.random.below(rank) as i64;
        if self.random.chance(40) { axis - rank as i64 } else { axis }
    }

    /// Some distinct axes of `rank`, in any order, written from either end.
    fn axes(&mut self, rank: usize, count: usize) -> Vec<i64> {
        let mut axes: Vec<i64> = (0..rank as i64).collect();
        self.random.shuffle(&mut axes);
        axes.truncate(count);
        axes.iter().map(|&axis| if self.random.chance(40) { axis - rank as i64 } else { axis }).collect()
    }
}

/// One axis as a number, several as a list.
fn axes_text(axes: &[i64], as_list: bool) -> String {
    match axes {
        [axis] if !as_list => axis.to_string(),
        axes => format!("{axes:?}"),
    }
}
