//! Every row of the table of ops, elementwise or not.

use std::collections::BTreeSet;

use super::graph;
use crate::ops::{all, find};

#[test]
fn names_are_unique_and_found() {
    let mut names = BTreeSet::new();
    for op in all() {
        assert!(names.insert(op.name), "`{}` has two rows", op.name);
        assert!(op.name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'));
        assert!(find(op.name).is_some_and(|found| std::ptr::eq(found.doc, op.doc)), "`{}`", op.name);
    }
    assert!(find("no_such_op").is_none());
}

#[test]
fn rows_are_complete() {
    for op in all() {
        let name = op.name;
        assert!(!op.kind.is_empty() && !op.node.is_empty(), "`{name}` has a type and a node name");
        assert!(op.kind.bytes().all(|b| b.is_ascii_alphanumeric()), "`{name}`: {}", op.kind);
        assert!(crate::graph::check_name(op.node, false).is_ok(), "`{name}`: {}", op.node);
        assert!(op.operator.is_empty() || crate::graph::check_name(op.operator, false).is_ok(), "`{name}`");
        assert!(
            op.doc.ends_with('.') && !op.doc.contains("  "),
            "`{name}` has a documentation: {:?}",
            op.doc
        );
        assert!(!op.example.graph.is_empty() && !op.example.value.is_empty(), "`{name}` has an example");
    }
}

#[test]
fn parameters_are_named_once_and_required_ones_come_first() {
    for op in all() {
        let mut names = BTreeSet::from(["name"]);
        for param in op.params {
            assert!(names.insert(param.name), "`{}`: parameter `{}`", op.name, param.name);
        }
        let optional = op.params.iter().skip_while(|param| param.required);
        assert!(optional.clone().all(|param| !param.required), "`{}`: a required parameter is last", op.name);
    }
}

#[test]
fn examples_use_their_op_and_lower() {
    for op in all() {
        let graph = graph(op.example.graph);
        assert!(op.example.graph.contains(&format!("{}(", op.name)), "`{}`", op.name);
        assert!(graph.nodes.iter().any(|node| node.op == op.kind), "`{}`: no node is a {}", op.name, op.kind);
        assert!(graph.inputs.is_empty() && !graph.outputs.is_empty(), "`{}`", op.name);
    }
}
