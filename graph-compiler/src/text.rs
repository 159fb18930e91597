//! Every stage after lowering as text, for people, tests and bug reports. (The graph prints itself.)

use std::fmt::{Display, Formatter, Result};

use crate::compile::Compiled;
use crate::fuse::affine::{Affine, Atom};
use crate::fuse::nest::{Expr, Nest, Region};
use crate::fuse::{Body, Kernel};
use crate::schedule::{Place, Step};

impl Display for Compiled<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        write!(f, "{}", self.graph)?;
        self.placement_text(f)?;
        self.kernels_text(f)?;
        self.schedule_text(f)?;
        self.memory_text(f)
    }
}

impl Compiled<'_> {
    fn placement_text(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "placement")?;
        for (i, slot) in self.placement.slots.iter().enumerate() {
            let request = if slot.canonical.is_empty() { "the default device" } else { &slot.canonical };
            let nodes = self.graph.nodes.iter().zip(&self.placement.node_slots);
            let names: Vec<&str> =
                nodes.filter(|(_, own)| **own as usize == i).map(|(node, _)| node.name.as_str()).collect();
            writeln!(f, "  slot {i}: {request}: {}", names.join(" "))?;
        }
        Ok(())
    }

    fn kernels_text(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "kernels")?;
        for (i, kernel) in self.fused.kernels.iter().enumerate() {
            let Kernel { slot, reads, write, nodes, body, .. } = kernel;
            let names: Vec<&str> = nodes.iter().map(|node| self.graph.node(*node).name.as_str()).collect();
            writeln!(f, "  kernel {i} on slot {slot}: {write:?} from {reads:?}, nodes {}", names.join(" "))?;
            match body {
                Body::Nest(nest) => write_nest(f, nest)?,
                call => writeln!(f, "    {call:?}")?,
            }
        }
        Ok(())
    }

    fn schedule_text(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "schedule")?;
        for (lane, steps) in self.schedule.lanes.iter().enumerate() {
            writeln!(f, "  lane {lane}")?;
            for step in steps {
                match step {
                    Step::Launch { kernel, reads, write } => {
                        writeln!(f, "    launch kernel {kernel} reads {reads:?} writes {write}")?;
                    }
                    Step::Copy { from, to } => writeln!(f, "    copy {from} to {to}")?,
                    Step::Signal(signal) => writeln!(f, "    signal {signal}")?,
                    Step::Wait(signal) => writeln!(f, "    wait {signal}")?,
                }
            }
        }
        Ok(())
    }

    fn memory_text(&self, f: &mut Formatter<'_>) -> Result {
        writeln!(f, "memory")?;
        for (slot, arena) in self.layout.arenas.iter().enumerate() {
            let constants = self.constant_bytes(slot as u32);
            writeln!(f, "  slot {slot}: arena {} bytes, constants {constants} bytes", arena.bytes)?;
        }
        for (i, buffer) in self.schedule.buffers.iter().enumerate() {
            let name = &self.graph.node(buffer.node).name;
            let place = match buffer.place {
                Place::Arena => format!("slot {} offset {}", buffer.slot, self.layout.offsets[i]),
                Place::Constant(constant) => format!("constant {constant} for slot {}", buffer.slot),
                Place::Input(input) => format!("input {input}"),
                Place::Output(output) => format!("output {output}"),
            };
            writeln!(f, "  buffer {i}: {:?} of {name}, {} bytes, {place}", buffer.value, buffer.bytes)?;
        }
        Ok(())
    }
}

fn write_nest(f: &mut Formatter<'_>, nest: &Nest) -> Result {
    writeln!(f, "    loops {:?}", nest.loops)?;
    if let Some(reduction) = &nest.reduction {
        writeln!(f, "    reduce {:?} {} over {:?}", reduction.kind, reduction.dtype, reduction.loops)?;
    }
    write_region(f, &nest.body, 4)?;
    writeln!(f, "    store [{}] = t{}", nest.store, nest.body.result)
}

fn write_region(f: &mut Formatter<'_>, region: &Region, indent: usize) -> Result {
    for (number, expr) in &region.statements {
        write!(f, "{:indent$}t{number} = ", "")?;
        match expr {
            Expr::Load { operand, index } => writeln!(f, "load {operand} [{index}]")?,
            Expr::Number(scalar, dtype) => writeln!(f, "{scalar:?} {dtype}")?,
            Expr::Position(form, dtype) => writeln!(f, "position {form} {dtype}")?,
            Expr::Unary(op, x, dtype) => writeln!(f, "{op:?} t{x} {dtype}")?,
            Expr::Binary(op, a, b, dtype) => writeln!(f, "{op:?} t{a} t{b} {dtype}")?,
            Expr::Select(c, a, b, dtype) => writeln!(f, "select t{c} t{a} t{b} {dtype}")?,
            Expr::Cast { x, from, to } => writeln!(f, "cast t{x} {from} to {to}")?,
            Expr::Check { x, site, bound, dtype } => writeln!(f, "check {site}: t{x} {dtype} in 0..{bound}")?,
            Expr::If { inside, then, otherwise } => {
                let conditions: Vec<String> =
                    inside.iter().map(|(form, low, high)| format!("{form} in {low}..{high}")).collect();
                writeln!(f, "if {}", conditions.join(" and "))?;
                write_region(f, then, indent + 2)?;
                writeln!(f, "{:indent$}  is t{}", "", then.result)?;
                writeln!(f, "{:indent$}else", "")?;
                write_region(f, otherwise, indent + 2)?;
                writeln!(f, "{:indent$}  is t{}", "", otherwise.result)?;
            }
        }
    }
    Ok(())
}

impl Display for Affine {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for (i, (atom, coefficient)) in self.terms.iter().enumerate() {
            let sign = match (i, *coefficient < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            f.write_str(sign)?;
            if coefficient.unsigned_abs() != 1 {
                write!(f, "{}*", coefficient.unsigned_abs())?;
            }
            match atom {
                Atom::Variable { index, .. } => write!(f, "i{index}")?,
                Atom::Temporary { index, .. } => write!(f, "t{index}")?,
                Atom::Quotient(inner, divisor) => write!(f, "(({inner}) / {divisor})")?,
                Atom::Remainder(inner, divisor) => write!(f, "(({inner}) % {divisor})")?,
            }
        }
        match (self.terms.is_empty(), self.constant) {
            (true, constant) => write!(f, "{constant}"),
            (false, 0) => Ok(()),
            (false, constant) if constant < 0 => write!(f, " - {}", constant.unsigned_abs()),
            (false, constant) => write!(f, " + {constant}"),
        }
    }
}
