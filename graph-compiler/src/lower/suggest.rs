//! "Did you mean".

/// The candidate nearest to `name`, if it is near enough to be meant.
pub(crate) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match name.chars().count() {
        0..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    candidates
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count())
        .min()
        .map(|(_, candidate)| candidate)
}

/// Edits between two words: insert, delete, replace or swap neighbours (optimal string alignment).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replace = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = replace.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// The help for `name` where it is what another language or system calls a dtype.
pub(super) fn dtype_help(name: &str) -> Option<String> {
    let near = match name {
        "float" | "float32" | "single" => "f32",
        "double" | "float64" => "f64",
        "half" | "float16" => "f16",
        "bfloat16" => "bf16",
        "int" | "int32" => "i32",
        "long" | "int64" | "isize" => "i64",
        "byte" | "uint8" => "u8",
        "bool_" | "boolean" => "bool",
        "i8" | "i16" | "u16" | "u32" | "u64" | "usize" | "int8" | "int16" | "uint16" | "uint32"
        | "uint64" => {
            return Some(format!("`{name}` is no dtype here; the whole ones are i32, i64 and u8"));
        }
        _ => return None,
    };
    Some(format!("did you mean the dtype `{near}`?"))
}

/// The op of ours that users of other systems look for under `name`.
pub(super) fn alias(name: &str) -> Option<&'static str> {
    Some(match name {
        "reduce_sum" => "sum",
        "reduce_mean" | "average" => "mean",
        "reduce_max" | "amax" => "max",
        "reduce_min" | "amin" => "min",
        "reduce_prod" => "prod",
        "reduce_any" => "any",
        "reduce_all" => "all",
        "subtract" => "sub",
        "multiply" => "mul",
        "divide" | "truediv" => "div",
        "negative" => "neg",
        "absolute" => "abs",
        "power" => "pow",
        "where" | "where_" | "cond" | "if_else" => "select",
        "mm" | "bmm" | "dot" | "matmult" => "matmul",
        "concatenate" | "cat" => "concat",
        "permute" | "swapaxes" => "transpose",
        "unsqueeze" => "expand_dims",
        "view" | "flatten" => "reshape",
        "expand" | "broadcast" => "broadcast_to",
        "arange" | "linspace" => "range",
        "full" => "fill",
        "astype" | "to" | "convert" => "cast",
        "flip" => "reverse",
        "repeat" => "tile",
        "take" | "index_select" | "embedding" => "gather",
        "isnan" => "is_nan",
        "isfinite" => "is_finite",
        "clamp" | "clip_by_value" => "clip",
        "logistic" => "sigmoid",
        "onehot" => "one_hot",
        "layernorm" => "layer_norm",
        "logsoftmax" => "log_softmax",
        _ => return None,
    })
}
