//! Ops on one element each.

use super::{Args, Built, Class, Example, Op, Param, ParamKind};
use crate::Diagnostic;
use crate::graph::{Binary, Builder};

pub(super) const OPS: &[Op] = &[ADD, ADD_N];

const XY: &[Param] = &[Param::required("x", ParamKind::Tensor), Param::required("y", ParamKind::Tensor)];

fn binary(b: &mut Builder<'_>, args: &Args<'_>, op: Binary, class: Class) -> Result<Built, Diagnostic> {
    args.require(b, 0, class)?;
    args.same_dtype(b, 0, 1)?;
    args.broadcast(b, 0, 1)?;
    Ok(Built::One(b.binary(op, args.tensor(0), args.tensor(1))))
}

const ADD: Op = Op {
    name: "add",
    kind: "AddV2",
    node: "Add",
    operator: "add",
    params: XY,
    build: |b, args| binary(b, args, Binary::Add, Class::Number),
    doc: "`x + y`, elementwise with broadcasting. Integers wrap.",
    example: Example { graph: "add([1.0, 2.0], 0.5)", value: "[1.5, 2.5]" },
};

const ADD_N: Op = Op {
    name: "add_n",
    kind: "AddN",
    node: "AddN",
    operator: "",
    params: &[Param::required("inputs", ParamKind::Tensors)],
    build: |b, args| {
        let inputs = args.tensors(0);
        let [(first, _), rest @ ..] = inputs else {
            return Err(args.error(0, "the list is empty").with_help("a sum needs at least one tensor"));
        };
        let ty = b.ty(*first);
        for (x, span) in rest {
            if b.ty(*x) != ty {
                let message = format!("the tensors differ, the first is {ty} and this one is {}", b.ty(*x));
                return Err(args.error_at(*span, message));
            }
        }
        Ok(Built::One(rest.iter().fold(*first, |sum, (x, _)| b.binary(Binary::Add, sum, *x))))
    },
    doc: "The sum of a list of tensors of one dtype and shape, in the order of the list.",
    example: Example { graph: "add_n([[1.0, 2.0], [3.0, 4.0]])", value: "[4.0, 6.0]" },
};
