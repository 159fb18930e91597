//! The executor: a plan bound to devices, and its walk.
//!
//! At load every buffer gets an address, and the lanes are laid out in one order in which each step finds its
//! operands ready. A run patches the addresses of the caller's arrays into the table and walks the steps: no
//! allocation, no lock, no look-up by name. Copies that bring a caller's array to a device whose memory is the
//! host's are not made: the buffer takes the array's address.

use graph_ir::args::{Bound, KernelArgs};
use graph_ir::plan::{Launch, Place, Step};
use graph_ir::{CpuKernel, Plan};

use crate::binding::{InputBinder, OutputBinder, Staging};
use crate::devices::DeviceSet;
use crate::error::{Error, Result};
use crate::graph::{Feeds, Results, Target};
use crate::memory::Block;

/// A plan bound to the devices of a session.
pub(crate) struct Executable {
    plan: &'static Plan,
    /// The device of each slot.
    devices: Vec<usize>,
    /// The memory behind `table`, kept until the executable is dropped.
    _blocks: Vec<Block>,
    /// Address and size of every buffer.
    table: Vec<Bound>,
    /// Buffers that have the address of a caller's array.
    input_buffers: Vec<(u32, u32)>,
    output_buffers: Vec<(u32, u32)>,
    steps: Vec<Work>,
    inputs: Vec<Bound>,
    outputs: Vec<Bound>,
    input_staging: Vec<Staging>,
    output_staging: Vec<Staging>,
}

/// A step with its references resolved.
enum Work {
    Launch { kernel: CpuKernel, launch: &'static Launch },
    Copy { from: u32, to: u32 },
}

// SAFETY: the addresses in the tables point into `_blocks` and the staging memory, which the executable owns, and
// into 'static constants that are only read; those of the caller's arrays are used only during `run`, which binds
// them anew each time. Nothing in it is tied to a thread.
unsafe impl Send for Executable {}

impl Executable {
    /// Reserves the memory and gives every buffer its address. `devices` is the device of each slot.
    pub(crate) fn load(plan: &'static Plan, set: &DeviceSet, devices: Vec<usize>) -> Result<Executable> {
        let mut memory = SlotMemory::reserve(plan, set, &devices)?;
        let mut table = vec![Bound { address: std::ptr::null_mut(), bytes: 0 }; plan.buffers.len()];
        for (bound, buffer) in table.iter_mut().zip(plan.buffers) {
            bound.bytes = size(buffer.bytes)?;
            bound.address = match buffer.place {
                Place::Arena { slot, offset } => memory.arena(slot, offset),
                Place::Constant { slot, constant, offset } => {
                    let data = plan.constants[constant as usize].data;
                    memory.constant(slot, offset, data)
                }
                Place::Input(_) | Place::Output(_) => std::ptr::null_mut(),
            };
        }
        let aliases = Aliases::find(plan, |slot| memory.on_host[slot as usize]);
        let steps = ordered(plan)?
            .into_iter()
            .filter_map(|step| match step {
                Step::Launch(launch) => {
                    Some(Work::Launch { kernel: plan.kernels[launch.kernel as usize].cpu, launch })
                }
                Step::Copy { from, to } if !aliases.is_needless(*from, *to) => {
                    Some(Work::Copy { from: *from, to: *to })
                }
                Step::Copy { .. } | Step::Signal(_) | Step::Wait(_) => None,
            })
            .collect();
        let none = Bound { address: std::ptr::null_mut(), bytes: 0 };
        Ok(Executable {
            plan,
            devices,
            _blocks: memory.blocks,
            table,
            input_buffers: aliases.inputs,
            output_buffers: aliases.outputs,
            steps,
            inputs: vec![none; plan.inputs.len()],
            outputs: vec![none; plan.outputs.len()],
            input_staging: plan.inputs.iter().map(|_| Staging::default()).collect(),
            output_staging: plan.outputs.iter().map(|_| Staging::default()).collect(),
        })
    }

    pub(crate) fn plan(&self) -> &'static Plan {
        self.plan
    }

    pub(crate) fn devices(&self) -> &[usize] {
        &self.devices
    }

    /// Runs and gives new arrays.
    pub(crate) fn run<'a, I, O: Results>(&mut self, inputs: impl Feeds<'a, I>) -> Result<O::Value> {
        self.feed(inputs)?;
        let mut stored = O::store(self.plan);
        let mut binder =
            OutputBinder { plan: self.plan, staging: &mut self.output_staging, bound: &mut self.outputs };
        O::bind_stored(&mut stored, &mut binder)?;
        self.walk()?;
        Ok(O::finish(stored))
    }

    /// Runs and writes into the caller's arrays. When it fails, what is in them is unspecified, but initialised.
    pub(crate) fn run_into<'a, I>(
        &mut self,
        inputs: impl Feeds<'a, I>,
        mut targets: impl Target,
    ) -> Result<()> {
        self.feed(inputs)?;
        let mut binder =
            OutputBinder { plan: self.plan, staging: &mut self.output_staging, bound: &mut self.outputs };
        targets.bind(0, &mut binder)?;
        self.walk()?;
        let binder =
            OutputBinder { plan: self.plan, staging: &mut self.output_staging, bound: &mut self.outputs };
        targets.finish(0, &binder);
        Ok(())
    }

    fn feed<'a, I>(&mut self, inputs: impl Feeds<'a, I>) -> Result<()> {
        let mut binder =
            InputBinder { plan: self.plan, staging: &mut self.input_staging, bound: &mut self.inputs };
        inputs.feed_all(&mut binder)
    }

    fn walk(&mut self) -> Result<()> {
        for &(buffer, input) in &self.input_buffers {
            self.table[buffer as usize] = self.inputs[input as usize];
        }
        for &(buffer, output) in &self.output_buffers {
            self.table[buffer as usize] = self.outputs[output as usize];
        }
        for step in &self.steps {
            match step {
                Work::Launch { kernel, launch } => {
                    // SAFETY: `Plan::check` judges that at this step every buffer read has been written, that none
                    // of those read or written overlaps one that is written, and that all lie inside their arenas;
                    // the caller's arrays are borrowed for the run and have the sizes that the binders checked.
                    let mut args = unsafe { KernelArgs::new(&self.table, launch.reads, launch.writes) };
                    kernel(&mut args);
                    if let Some(fault) = args.fault() {
                        return Err(out_of_range(self.plan, launch, fault));
                    }
                }
                Work::Copy { from, to } => {
                    let (from, to) = (self.table[*from as usize], self.table[*to as usize]);
                    // SAFETY: both ranges are valid as above, of the same size, and do not overlap: two buffers that
                    // are alive at one step have bytes of their own.
                    unsafe { std::ptr::copy_nonoverlapping(from.address, to.address, to.bytes) };
                }
            }
        }
        Ok(())
    }
}

#[cold]
fn out_of_range(plan: &Plan, launch: &Launch, fault: graph_ir::Fault) -> Error {
    let site = &launch.sites[fault.site as usize];
    let node = &plan.nodes[site.node as usize];
    Error::out_of_range(format!(
        "`{}` ({}, {}:{}): index {} is not in 0..{}",
        node.name, node.op, plan.file, node.line, fault.value, site.bound
    ))
}

fn size(bytes: u64) -> Result<usize> {
    usize::try_from(bytes)
        .map_err(|_| Error::resource_exhausted(format!("a tensor of {bytes} bytes cannot be addressed here")))
}

/// The memory of each slot.
struct SlotMemory {
    blocks: Vec<Block>,
    /// Start of the arena and of the constants of each slot.
    bases: Vec<(*mut u8, *mut u8)>,
    on_host: Vec<bool>,
}

impl SlotMemory {
    /// One block for each device, shared by its slots.
    fn reserve(plan: &'static Plan, set: &DeviceSet, devices: &[usize]) -> Result<SlotMemory> {
        let mut needs = vec![0u64; set.len()];
        let mut offsets = Vec::new();
        let on_host: Vec<bool> = devices.iter().map(|&device| set.get(device).is_host()).collect();
        for (slot, &device) in plan.slots.iter().zip(devices) {
            let host = set.get(device).is_host();
            let arena = needs[device];
            let constants = arena + slot.arena_bytes;
            needs[device] = constants + if host { 0 } else { slot.constant_bytes };
            offsets.push((arena, constants));
        }
        let mut blocks = Vec::new();
        let mut starts = vec![std::ptr::null_mut::<u8>(); set.len()];
        for (device, &bytes) in needs.iter().enumerate() {
            if bytes > 0 {
                let block = set.get(device).reserve(bytes, plan)?;
                starts[device] = block.address();
                blocks.push(block);
            }
        }
        let bases = devices
            .iter()
            .zip(offsets)
            .map(|(&device, (arena, constants))| {
                let start = starts[device];
                (start.wrapping_add(arena as usize), start.wrapping_add(constants as usize))
            })
            .collect();
        Ok(SlotMemory { blocks, bases, on_host })
    }

    fn arena(&self, slot: u32, offset: u64) -> *mut u8 {
        self.bases[slot as usize].0.wrapping_add(offset as usize)
    }

    /// The constant where it lies, or its upload.
    fn constant(&mut self, slot: u32, offset: u64, data: &'static [u8]) -> *mut u8 {
        if self.on_host[slot as usize] {
            return data.as_ptr().cast_mut();
        }
        let address = self.bases[slot as usize].1.wrapping_add(offset as usize);
        // SAFETY: `reserve` took `constant_bytes` from this base on, and the plan's offsets of constants lie inside
        // it without overlap; nobody else knows the block yet.
        unsafe { std::ptr::copy_nonoverlapping(data.as_ptr(), address, data.len()) };
        address
    }
}

/// Buffers that take the address of a caller's array instead of having a copy made.
struct Aliases {
    /// Buffer and input.
    inputs: Vec<(u32, u32)>,
    /// Buffer and output.
    outputs: Vec<(u32, u32)>,
    needless: Vec<(u32, u32)>,
}

impl Aliases {
    fn find(plan: &Plan, on_host: impl Fn(u32) -> bool) -> Aliases {
        let mut aliases = Aliases { inputs: Vec::new(), outputs: Vec::new(), needless: Vec::new() };
        let mut taken = vec![false; plan.buffers.len()];
        for (i, buffer) in (0u32..).zip(plan.buffers) {
            match buffer.place {
                Place::Input(input) => aliases.inputs.push((i, input)),
                Place::Output(output) => aliases.outputs.push((i, output)),
                Place::Arena { .. } | Place::Constant { .. } => {}
            }
        }
        let copies = plan.lanes.iter().flat_map(|lane| lane.steps).filter_map(|step| match step {
            Step::Copy { from, to } => Some((*from, *to)),
            _ => None,
        });
        for (from, to) in copies {
            let places = (plan.buffers[from as usize].place, plan.buffers[to as usize].place);
            match places {
                (Place::Input(input), Place::Arena { slot, .. }) if on_host(slot) && !taken[to as usize] => {
                    aliases.inputs.push((to, input));
                    taken[to as usize] = true;
                    aliases.needless.push((from, to));
                }
                // An array of the caller has no other buffer in its bytes, so that the life of `from` is no matter.
                (Place::Arena { slot, .. }, Place::Output(output))
                    if on_host(slot) && !taken[from as usize] =>
                {
                    aliases.outputs.push((from, output));
                    taken[from as usize] = true;
                    aliases.needless.push((from, to));
                }
                _ => {}
            }
        }
        aliases.needless.sort_unstable();
        aliases
    }

    fn is_needless(&self, from: u32, to: u32) -> bool {
        self.needless.binary_search(&(from, to)).is_ok()
    }
}

/// The steps of all lanes in one order that respects lanes and signals: each lane goes on until it waits for a signal
/// that has not been given.
fn ordered(plan: &'static Plan) -> Result<Vec<&'static Step>> {
    let mut given = vec![false; plan.signals as usize];
    let mut positions = vec![0usize; plan.lanes.len()];
    let mut steps = Vec::new();
    let total: usize = plan.lanes.iter().map(|lane| lane.steps.len()).sum();
    while steps.len() < total {
        let before = steps.len();
        for (lane, position) in plan.lanes.iter().zip(&mut positions) {
            while let Some(step) = lane.steps.get(*position) {
                match step {
                    Step::Wait(signal) if !given[*signal as usize] => break,
                    Step::Signal(signal) => given[*signal as usize] = true,
                    _ => {}
                }
                steps.push(step);
                *position += 1;
            }
        }
        if steps.len() == before {
            return Err(Error::internal(format!("the lanes of `{}` wait for each other", plan.name)));
        }
    }
    Ok(steps)
}
