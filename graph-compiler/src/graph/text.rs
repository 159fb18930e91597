//! The graph as text, one value a line.

use std::fmt::{Display, Formatter, Result};

use super::Graph;

impl Display for Graph {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "graph {}", self.name)?;
        for id in self.value_ids() {
            let value = self.value(id);
            let node = self.node(value.node);
            let request = &self.requests[node.request as usize].canonical;
            write!(f, "  {id:?}: {} = {:?}  // {} ({})", value.ty, value.prim, node.name, node.op)?;
            if !request.is_empty() {
                write!(f, " on {request}")?;
            }
            writeln!(f)?;
        }
        let outputs: Vec<_> = self.outputs.iter().map(|output| output.value).collect();
        writeln!(f, "  return {outputs:?}")
    }
}
