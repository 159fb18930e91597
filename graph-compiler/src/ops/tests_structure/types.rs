//! The type of every result, over many shapes and every dtype.

use graph_ir::DType;

use super::{lower_text, result_types};

const SHAPES: &[&[u64]] =
    &[&[], &[0], &[1], &[3], &[1, 1], &[2, 3], &[0, 3], &[3, 0], &[2, 1, 3], &[2, 0, 3], &[2, 3, 4]];

/// The axes of a shape, counted from both ends, with the number of the axis.
fn axes(dims: &[u64]) -> impl Iterator<Item = (i64, usize)> + use<> {
    let rank = dims.len() as i64;
    (-rank..rank).map(move |axis| (axis, axis.rem_euclid(rank) as usize))
}

fn with(dims: &[u64], axis: usize, size: u64) -> Vec<u64> {
    let mut dims = dims.to_vec();
    dims[axis] = size;
    dims
}

fn without(dims: &[u64], axis: usize) -> Vec<u64> {
    let mut dims = dims.to_vec();
    dims.remove(axis);
    dims
}

/// `call` on an input `x` of this type gives a result of that one.
fn check(dtype: DType, dims: &[u64], call: &str, result_dtype: DType, result: &[u64]) {
    let text = format!("|x: {dtype}{dims:?}| {call}");
    assert_eq!(result_types(&text), format!("{result_dtype}{result:?}"), "{text}");
}

#[test]
fn reductions_drop_or_keep_their_axes() {
    for &dims in SHAPES {
        for (op, dtype) in
            [("sum", DType::I32), ("mean", DType::F32), ("prod", DType::U8), ("any", DType::Bool)]
        {
            check(dtype, dims, &format!("{op}(x)"), dtype, &[]);
            check(dtype, dims, &format!("{op}(x, keepdims = true)"), dtype, &vec![1; dims.len()]);
            check(dtype, dims, &format!("{op}(x, axis = [])"), dtype, dims);
            for (written, axis) in axes(dims) {
                check(dtype, dims, &format!("{op}(x, {written})"), dtype, &without(dims, axis));
                let kept = format!("x.{op}(axis = [{written}], keepdims = true)");
                check(dtype, dims, &kept, dtype, &with(dims, axis, 1));
            }
        }
    }
    check(DType::F32, &[2, 3, 4], "sum(x, [-1, 0])", DType::F32, &[3]);
    check(DType::F32, &[2, 3, 4], "sum(x, [2, 0], keepdims = true)", DType::F32, &[1, 3, 1]);
}

#[test]
fn extremes_need_elements_only_along_the_reduced_axes() {
    for &dims in SHAPES {
        for op in ["max", "min", "argmax", "argmin"] {
            let dtype = if op.starts_with("arg") { DType::I64 } else { DType::F32 };
            for (written, axis) in axes(dims) {
                let (text, kept) =
                    (format!("{op}(x, axis = {written})"), format!("{op}(x, {written}, true)"));
                if dims[axis] == 0 {
                    assert!(lower_text(&format!("|x: f32{dims:?}| {text}")).is_err(), "{text} of {dims:?}");
                } else {
                    check(DType::F32, dims, &text, dtype, &without(dims, axis));
                    check(DType::F32, dims, &kept, dtype, &with(dims, axis, 1));
                }
            }
            let all = format!("{op}(x, keepdims = true)");
            match dims.contains(&0) {
                true => assert!(lower_text(&format!("|x: f32{dims:?}| {all}")).is_err(), "{all} of {dims:?}"),
                false => check(DType::F32, dims, &all, dtype, &vec![1; dims.len()]),
            }
        }
    }
}

#[test]
fn ops_along_an_axis_keep_the_shape() {
    for &dims in SHAPES {
        check(DType::F32, dims, "identity(x)", DType::F32, dims);
        check(DType::F32, dims, "reverse(x)", DType::F32, dims);
        for (axis, _) in axes(dims) {
            for call in
                ["softmax(x, AXIS)", "log_softmax(x, AXIS)", "layer_norm(x, axis = AXIS)", "cumsum(x, AXIS)"]
            {
                check(DType::F32, dims, &call.replace("AXIS", &axis.to_string()), DType::F32, dims);
            }
            check(DType::I64, dims, &format!("reverse(x, axis = {axis})"), DType::I64, dims);
            check(DType::I64, dims, &format!("cumsum(x, {axis}, true, reverse = true)"), DType::I64, dims);
        }
    }
    check(DType::F32, &[2, 3], "softmax(x)", DType::F32, &[2, 3]);
    check(DType::F16, &[2, 3], "layer_norm(x, epsilon = 1)", DType::F16, &[2, 3]);
    check(
        DType::F32,
        &[2, 3, 4],
        "layer_norm(x, [[1.0], [2.0], [3.0]], axis = [2, 1])",
        DType::F32,
        &[2, 3, 4],
    );
    check(DType::F32, &[2, 3, 4], "layer_norm(x, bias = [1.0, 2.0], axis = 0)", DType::F32, &[2, 3, 4]);
}

#[test]
fn axes_come_go_and_move() {
    for &dims in SHAPES {
        let rank = dims.len();
        let reversed: Vec<u64> = dims.iter().rev().copied().collect();
        check(DType::U8, dims, "transpose(x)", DType::U8, &reversed);
        let rotated: Vec<usize> = (0..rank).map(|axis| (axis + 1) % rank).collect();
        let moved: Vec<u64> = rotated.iter().map(|&axis| dims[axis]).collect();
        check(DType::U8, dims, &format!("transpose(x, {rotated:?})"), DType::U8, &moved);
        for axis in 0..=rank {
            let mut more = dims.to_vec();
            more.insert(axis, 1);
            check(DType::Bool, dims, &format!("expand_dims(x, {axis})"), DType::Bool, &more);
            let negative = axis as i64 - rank as i64 - 1;
            check(DType::Bool, dims, &format!("expand_dims(x, {negative})"), DType::Bool, &more);
            check(
                DType::Bool,
                dims,
                &format!("squeeze(expand_dims(x, {axis}), {negative})"),
                DType::Bool,
                dims,
            );
        }
        let large: Vec<u64> = dims.iter().copied().filter(|&dim| dim != 1).collect();
        check(DType::F16, dims, "squeeze(x)", DType::F16, &large);
        let elements: u64 = dims.iter().product();
        check(DType::F32, dims, "reshape(x, [-1])", DType::F32, &[elements]);
        check(DType::F32, dims, &format!("reshape(x, {elements})"), DType::F32, &[elements]);
        check(DType::F32, dims, &format!("reshape(x, {dims:?})"), DType::F32, dims);
    }
    check(DType::F32, &[3, 4], "expand_dims(x, [0, -1])", DType::F32, &[1, 3, 4, 1]);
    check(DType::F32, &[1, 1], "reshape(x, [])", DType::F32, &[]);
    check(DType::F32, &[0, 3], "reshape(x, [3, -1])", DType::F32, &[3, 0]);
    check(DType::F32, &[0, 3], "reshape(x, [0, 7])", DType::F32, &[0, 7]);
    check(DType::F32, &[2, 6], "reshape(x, [3, -1, 2])", DType::F32, &[3, 2, 2]);
}

#[test]
fn copies_and_frames() {
    for &dims in SHAPES {
        let mut front = vec![5];
        front.extend(dims);
        check(DType::F32, dims, &format!("broadcast_to(x, {front:?})"), DType::F32, &front);
        let multiples: Vec<u64> = (0..dims.len() as u64).collect();
        let tiled: Vec<u64> = dims.iter().zip(&multiples).map(|(dim, times)| dim * times).collect();
        check(DType::I32, dims, &format!("tile(x, {multiples:?})"), DType::I32, &tiled);
        let paddings = vec![[1, 2]; dims.len()];
        let padded: Vec<u64> = dims.iter().map(|dim| dim + 3).collect();
        check(DType::Bool, dims, &format!("pad(x, {paddings:?}, value = true)"), DType::Bool, &padded);
        check(DType::Bool, dims, &format!("pad(x, {:?})", vec![[0, 0]; dims.len()]), DType::Bool, dims);
    }
    check(DType::F32, &[1, 3], "broadcast_to(x, [2, 0, 3])", DType::F32, &[2, 0, 3]);
    check(DType::F32, &[], "broadcast_to(x, [2])", DType::F32, &[2]);
    check(DType::F32, &[], "tile(x, [])", DType::F32, &[]);
}

#[test]
fn parts_and_wholes() {
    for &dims in SHAPES {
        let mut stacked = dims.to_vec();
        stacked.insert(0, 2);
        check(DType::F32, dims, "stack([x, x])", DType::F32, &stacked);
        stacked.rotate_left(1);
        check(DType::F32, dims, "stack([x, x], axis = -1)", DType::F32, &stacked);
        for (written, axis) in axes(dims) {
            let size = dims[axis];
            check(
                DType::F32,
                dims,
                &format!("concat([x, x, x], {written})"),
                DType::F32,
                &with(dims, axis, 3 * size),
            );
            check(DType::F32, dims, &format!("concat([x], {written})"), DType::F32, dims);
            let part = format!("f32{:?}", with(dims, axis, 1));
            let each = vec![part; size as usize].join(" ");
            let text = format!("|x: f32{dims:?}| split(x, {}, axis = {written})", size.max(1));
            let expected = if size == 0 { format!("f32{dims:?}") } else { each };
            assert_eq!(result_types(&text), expected, "{text}");
            let listed = format!("|x: f32{dims:?}| split(x, [0, -1, 0], {written})");
            let empty = format!("f32{:?}", with(dims, axis, 0));
            assert_eq!(result_types(&listed), format!("{empty} f32{dims:?} {empty}"), "{listed}");
        }
    }
    assert_eq!(result_types("|x: u8[7]| split(x, [2, 5])"), "u8[2] u8[5]");
    assert_eq!(result_types("|x: u8[7]| { let (a, b) = split(x, [-1, 3]); a }"), "u8[4]");
    assert_eq!(result_types("|x: u8[4, 3]| split(x, 2)[1]"), "u8[2, 3]");
    assert_eq!(
        result_types("|x: u8[2, 3], y: u8[2, 0], z: u8[2, 1]| concat([x, y, z], axis = 1)"),
        "u8[2, 4]"
    );
    assert_eq!(result_types("stack([1, 2, 3])"), "i32[3]");
}

#[test]
fn slices() {
    check(DType::F32, &[5, 4], "slice(x, [1], [3])", DType::F32, &[2, 4]);
    check(DType::F32, &[5, 4], "slice(x, [-2, 0], [100, -1])", DType::F32, &[2, 3]);
    check(DType::F32, &[5, 4], "slice(x, 4, 0, step = -2)", DType::F32, &[2, 4]);
    check(DType::F32, &[5], "slice(x, 3, 1)", DType::F32, &[0]);
    check(DType::F32, &[0], "slice(x, 0, 1)", DType::F32, &[0]);
    check(DType::F32, &[], "slice(x, [], [])", DType::F32, &[]);
}

#[test]
fn indices_replace_an_axis_or_add_one() {
    for &dims in SHAPES {
        let mut deeper = dims.to_vec();
        deeper.push(4);
        check(DType::I32, dims, "one_hot(x, 4)", DType::F32, &deeper);
        check(DType::I64, dims, "one_hot(x, 4, dtype = bool)", DType::Bool, &deeper);
        // As indices into the middle of a tensor.
        let mut gathered = vec![5];
        gathered.extend(dims);
        gathered.push(7);
        let text = format!("|i: i64{dims:?}, x: bf16[5, 6, 7]| gather(x, i, axis = 1)");
        assert_eq!(result_types(&text), format!("bf16{gathered:?}"), "{text}");
        // As what is indexed.
        for (written, axis) in axes(dims).filter(|&(_, axis)| dims[axis] > 0) {
            check(DType::F32, dims, &format!("gather(x, 0, {written})"), DType::F32, &without(dims, axis));
            check(DType::F32, dims, &format!("gather(x, [], {written})"), DType::F32, &with(dims, axis, 0));
        }
    }
    check(DType::F32, &[0, 3], "gather(x, [])", DType::F32, &[0, 3]);
    assert_eq!(result_types("|i: i32[0]| one_hot(i, 0)"), "f32[0, 0]");
}

#[test]
fn constants_have_the_type_asked_for() {
    for dtype in DType::ALL {
        for op in ["zeros", "ones"] {
            assert_eq!(
                result_types(&format!("{op}([2, 0, 3], dtype = {dtype})")),
                format!("{dtype}[2, 0, 3]")
            );
        }
        assert_eq!(result_types(&format!("eye(2, 3, {dtype})")), format!("{dtype}[2, 3]"));
        let value = if dtype == DType::Bool { "true" } else { "7" };
        assert_eq!(result_types(&format!("fill([], {value}, dtype = {dtype})")), format!("{dtype}[]"));
    }
    assert_eq!(
        result_types("(zeros(3), ones([]), eye(2), eye(0, columns = 4))"),
        "f32[3] f32[] f32[2, 2] f32[0, 4]"
    );
    assert_eq!(
        result_types("(fill(2, 1), fill(2, 1.0), fill(2, true), fill(2, 1u8))"),
        "i32[2] f32[2] bool[2] u8[2]"
    );
}

#[test]
fn ranges_have_the_length_of_numpys() {
    let lengths = [
        ("range(5)", "i32[5]"),
        ("range(0)", "i32[0]"),
        ("range(-3)", "i32[0]"),
        ("range(2, 5)", "i32[3]"),
        ("range(5, 2)", "i32[0]"),
        ("range(5, 2, -1)", "i32[3]"),
        ("range(0, 10, 3)", "i32[4]"),
        ("range(0, 9, step = 3)", "i32[3]"),
        ("range(5.0)", "f32[5]"),
        ("range(4.5)", "f32[5]"),
        ("range(0, 1, 0.1)", "f32[10]"),
        ("range(1, 0, -0.25)", "f32[4]"),
        ("range(0, 1, -0.25)", "f32[0]"),
        ("range(3i64)", "i64[3]"),
        ("range(0.0, 1f64, 0.5)", "f64[2]"),
        ("range(0, 256, dtype = u8)", "u8[256]"),
        ("range(255, -1, step = -1, dtype = u8)", "u8[256]"),
        ("range(i64::MIN, i64::MAX, step = i64::MAX)", "i64[3]"),
        ("range(3000000.0)", "f32[3000000]"),
        ("range(-2147483648, 2147483647)", "i32[4294967295]"),
    ];
    for (text, ty) in lengths {
        assert_eq!(result_types(text), ty, "{text}");
    }
}

/// A call, the dtypes it takes (`f` for floats, `i` for integers, `b` for bool), and the dtype it gives for each.
type Row = (&'static str, &'static str, fn(DType) -> DType);

#[test]
fn every_dtype_is_taken_or_refused() {
    let same = |dtype: DType| dtype;
    let position = |_: DType| DType::I64;
    let table: &[Row] = &[
        ("identity(x)", "fib", same),
        ("sum(x)", "fi", same),
        ("mean(x)", "f", same),
        ("prod(x)", "fi", same),
        ("max(x)", "fi", same),
        ("min(x)", "fi", same),
        ("any(x)", "b", same),
        ("all(x)", "b", same),
        ("argmax(x)", "fib", position),
        ("argmin(x)", "fib", position),
        ("reshape(x, -1)", "fib", same),
        ("transpose(x)", "fib", same),
        ("expand_dims(x, 0)", "fib", same),
        ("squeeze(x)", "fib", same),
        ("broadcast_to(x, [2, 2, 3])", "fib", same),
        ("concat([x, x])", "fib", same),
        ("stack([x, x])", "fib", same),
        ("split(x, 1)", "fib", same),
        ("slice(x, 0, 1)", "fib", same),
        ("pad(x, [[1, 0], [0, 1]])", "fib", same),
        ("reverse(x)", "fib", same),
        ("tile(x, [2, 2])", "fib", same),
        ("softmax(x)", "f", same),
        ("log_softmax(x)", "f", same),
        ("layer_norm(x, ones(3, dtype = DTYPE), ones([], dtype = DTYPE))", "f", same),
        ("gather(x, [1, 0])", "fib", same),
        ("cumsum(x)", "fi", same),
    ];
    for (call, taken, result) in table {
        for dtype in DType::ALL {
            let kind = if dtype.is_float() {
                'f'
            } else if dtype.is_integer() {
                'i'
            } else {
                'b'
            };
            let text = format!("|x: {dtype}[2, 3]| {}", call.replace("DTYPE", dtype.name()));
            match lower_text(&text) {
                Ok(graph) => {
                    assert!(taken.contains(kind), "{text} is taken");
                    assert_eq!(graph.ty(graph.outputs[0].value).dtype, result(dtype), "{text}");
                }
                Err(complaints) => {
                    assert!(!taken.contains(kind), "{text}: {complaints:?}");
                    assert_eq!(complaints.len(), 1, "{text}: {complaints:?}");
                    assert_eq!(complaints[0].under, "x", "{text}: {complaints:?}");
                    assert!(complaints[0].text.contains("\nhelp: "), "{text}: {complaints:?}");
                }
            }
        }
    }
    for dtype in DType::ALL {
        let is_index = matches!(dtype, DType::I32 | DType::I64);
        for call in ["one_hot(i, 3)", "gather(zeros(3), i)"] {
            assert_eq!(lower_text(&format!("|i: {dtype}[2]| {call}")).is_ok(), is_index, "{call} of {dtype}");
        }
    }
}

#[test]
fn nodes_are_named_as_tensorflow_names_them() {
    let nodes = |text: &str| {
        let graph = super::graph(text);
        let node = graph.node(graph.value(graph.outputs[0].value).node);
        format!("{}({})", node.name, node.op)
    };
    assert_eq!(nodes("zeros(2)"), "zeros(Const)");
    assert_eq!(nodes("range(2)"), "range(Range)");
    assert_eq!(nodes("|x: f32[2]| identity(x)"), "Identity(Identity)");
    assert_eq!(nodes("|x: f32[2]| sum(x)"), "Sum(Sum)");
    assert_eq!(nodes("|x: f32[2]| split(x, 2)"), "split(Split)");
    assert_eq!(nodes("|x: f32[2]| split(x, [2, 0])"), "split(SplitV)");
    assert_eq!(nodes("|x: f32[2]| slice(x, 0, 1)"), "strided_slice(StridedSlice)");
    assert_eq!(nodes("|x: f32[2]| gather(x, 1)"), "GatherV2(GatherV2)");
}
