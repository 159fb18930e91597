//! `budget("/device:GPU:0", 64 MiB)`: the peak of a device is a constant of the plan, and here it is compared.

use graph_ir::DeviceSpec;

use crate::compile::Compiled;
use crate::graph::Budget;
use crate::{Diagnostic, Diagnostics};

pub fn check(compiled: &Compiled<'_>, diagnostics: &mut Diagnostics) {
    for budget in &compiled.graph.budgets {
        let slots: Vec<usize> =
            (0..compiled.placement.slots.len()).filter(|&slot| concerns(compiled, budget, slot)).collect();
        if slots.is_empty() {
            let used: Vec<String> =
                compiled.placement.slots.iter().map(|slot| format!("{:?}", slot.canonical)).collect();
            let message = format!("nothing of `{}` is placed on {:?}", compiled.graph.name, budget.written);
            diagnostics.push(
                Diagnostic::new(budget.span, message)
                    .with_help(format!("its devices are {}", used.join(", "))),
            );
            continue;
        }
        let needed: u64 = slots.iter().map(|&slot| slot_bytes(compiled, slot)).sum();
        if needed > budget.bytes {
            let message = format!(
                "{:?} needs {}, and the budget is {}{}",
                budget.written,
                bytes(needed),
                bytes(budget.bytes),
                peak(compiled, &slots)
            );
            diagnostics.push(
                Diagnostic::new(budget.span, message)
                    .with_help("split the batch, place a part on another device, or raise the budget"),
            );
        }
    }
}

/// A budget is about the slots that ask for its device, and about the default slot, which may become that device.
fn concerns(compiled: &Compiled<'_>, budget: &Budget, slot: usize) -> bool {
    let canonical = &compiled.placement.slots[slot].canonical;
    if canonical.is_empty() {
        return budget.canonical.ends_with(":0") || budget.canonical.ends_with('*');
    }
    match (DeviceSpec::parse(&budget.canonical), DeviceSpec::parse(canonical)) {
        (Ok(budget), Ok(slot)) => DeviceSpec::is_specification(budget, slot),
        _ => false,
    }
}

/// What a slot takes on a device with a memory of its own: temporaries at their peak, and constants.
fn slot_bytes(compiled: &Compiled<'_>, slot: usize) -> u64 {
    compiled.layout.arenas[slot].bytes + compiled.constant_bytes(slot as u32)
}

/// The tensors that are alive when the devices are fullest.
fn peak(compiled: &Compiled<'_>, slots: &[usize]) -> String {
    let mut text = String::new();
    for &slot in slots {
        let arena = &compiled.layout.arenas[slot];
        let Some(node) = arena.peak_node else { continue };
        let node = compiled.graph.node(node);
        text.push_str(&format!("; the most at `{}`, line {}:", node.name, node.span.start().line));
        for &buffer in arena.peak_buffers.iter().take(5) {
            let buffer = &compiled.schedule.buffers[buffer as usize];
            let node = compiled.graph.node(buffer.node);
            let ty = compiled.graph.ty(buffer.value);
            text.push_str(&format!(
                "\n  {} `{}` {ty}, line {}",
                bytes(buffer.bytes),
                node.name,
                node.span.start().line
            ));
        }
        if arena.peak_buffers.len() > 5 {
            text.push_str(&format!("\n  and {} smaller ones", arena.peak_buffers.len() - 5));
        }
        let constants = compiled.constant_bytes(slot as u32);
        if constants > 0 {
            text.push_str(&format!("\n  {} constants", bytes(constants)));
        }
    }
    text
}

/// A size for people: exact when it is whole in a unit, else with its bytes.
pub fn bytes(bytes: u64) -> String {
    let units = [("GiB", 1u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match units.into_iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) if bytes % unit == 0 => format!("{} {name}", bytes / unit),
        Some((name, unit)) => format!("{:.1} {name} ({bytes} bytes)", bytes as f64 / unit as f64),
        None => format!("{bytes} bytes"),
    }
}
