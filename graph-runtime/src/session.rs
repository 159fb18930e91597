//! Sessions: devices with their memory, and the graphs that run on them.

use std::marker::PhantomData;
use std::sync::Arc;

use graph_ir::Plan;

use crate::bind::{self, Request};
use crate::config::Config;
use crate::devices::{DeviceList, DeviceSet};
use crate::error::{Error, Result};
use crate::executor::Executable;
use crate::graph::{Feeds, Fetches, Graph, Results};
use crate::memory::MemoryInfo;
use crate::placement_log::{self, Placement};

/// Devices, options and memory; runs graphs.
///
/// A session is cheap to make: memory is reserved when a graph is loaded, which its first run does. It may be sent to
/// another thread; several sessions in several threads do not disturb each other.
pub struct Session {
    shared: Arc<Shared>,
    loaded: Vec<Executable>,
    /// Index of the one that ran last: runs of one graph in a row find it at once.
    last: usize,
}

struct Shared {
    config: Config,
    devices: DeviceSet,
}

impl Session {
    /// Opens the devices that the options make visible.
    ///
    /// # Errors
    /// `InvalidArgument` when an option does not make sense; the message names the option, its value and what it
    /// takes.
    pub fn new(config: Config) -> Result<Session> {
        let devices = DeviceSet::open(&config)?;
        if config.logs_device_placement() {
            placement_log::device_mapping(&devices);
        }
        Ok(Session { shared: Arc::new(Shared { config, devices }), loaded: Vec::new(), last: 0 })
    }

    /// Runs a graph and gives its results in new arrays. The first run of a graph loads it: binds its devices and
    /// reserves its memory.
    ///
    /// # Errors
    /// `InvalidArgument` when the shape of an input is not the declared one or, at the first run, a device is not
    /// there; `ResourceExhausted` when memory is too small, before anything runs; `OutOfRange` when an index is. The
    /// session stays usable.
    pub fn run<'a, I, O: Results>(
        &mut self,
        graph: &Graph<I, O>,
        inputs: impl Feeds<'a, I>,
    ) -> Result<O::Value> {
        self.executable(graph.plan())?.run::<I, O>(inputs)
    }

    /// Runs a graph and writes its results into the caller's arrays, in place where they are contiguous. From the
    /// second run on it allocates nothing, but for the packing buffers of large products of f32 or f64.
    ///
    /// # Errors
    /// As [`Session::run`], and `InvalidArgument` when the shape of an array is not the result's.
    pub fn run_into<'a, 'o, I, O>(
        &mut self,
        graph: &Graph<I, O>,
        inputs: impl Feeds<'a, I>,
        results: impl Fetches<'o, O>,
    ) -> Result<()> {
        self.executable(graph.plan())?.run_into(inputs, results.targets())
    }

    /// Loads a graph ahead of its first run, for a handle of its own that runs without the session.
    ///
    /// # Errors
    /// `InvalidArgument` when a device that the graph asks for is not there, `ResourceExhausted` when memory is too
    /// small.
    pub fn load<I, O: Results>(&self, graph: &Graph<I, O>) -> Result<Loaded<I, O>> {
        Loaded::load(self, graph)
    }

    /// Where each node of a graph runs in this session.
    ///
    /// # Errors
    /// `InvalidArgument` when a device that the graph asks for is not there.
    pub fn placement<I, O>(&self, graph: &Graph<I, O>) -> Result<Placement> {
        let devices = self.bind(graph.plan())?;
        Ok(Placement::new(graph.plan(), &self.shared.devices, &devices))
    }

    /// The devices of the session, CPUs first, and why there is no GPU where there is none.
    pub fn list_devices(&self) -> DeviceList {
        DeviceList::of(&self.shared.devices)
    }

    /// What a device's memory is used for, in bytes.
    ///
    /// # Errors
    /// `InvalidArgument` when there is no such device.
    pub fn memory(&self, device: &str) -> Result<MemoryInfo> {
        self.shared.devices.memory(device)
    }

    fn executable(&mut self, plan: &'static Plan) -> Result<&mut Executable> {
        let is_it = |executable: &Executable| std::ptr::eq(executable.plan(), plan);
        if !self.loaded.get(self.last).is_some_and(is_it) {
            self.last = match self.loaded.iter().position(is_it) {
                Some(known) => known,
                None => {
                    let executable = self.load_plan(plan)?;
                    self.loaded.push(executable);
                    self.loaded.len() - 1
                }
            };
        }
        Ok(&mut self.loaded[self.last])
    }

    fn load_plan(&self, plan: &'static Plan) -> Result<Executable> {
        let devices = self.bind(plan)?;
        if self.shared.config.logs_device_placement() {
            placement_log::placement(&Placement::new(plan, &self.shared.devices, &devices));
        }
        Executable::load(plan, &self.shared.devices, devices)
    }

    fn bind(&self, plan: &'static Plan) -> Result<Vec<usize>> {
        if plan.abi != graph_ir::plan::ABI {
            return Err(Error::internal(format!(
                "plan `{}` was made by another version of graph!",
                plan.name
            )));
        }
        let requests = Request::of_plan(plan)?;
        bind::bind(&requests, &self.shared.devices, self.shared.config.softens_placement())
    }
}

/// A graph bound to the devices of a session, with memory of its own. It may be sent to another thread.
pub struct Loaded<I, O> {
    executable: Executable,
    /// The devices live as long as what runs on them.
    _session: Arc<Shared>,
    types: PhantomData<fn(I) -> O>,
}

impl<I, O: Results> Loaded<I, O> {
    /// Binds the graph's devices and reserves its memory.
    ///
    /// # Errors
    /// `InvalidArgument` when a device that the graph asks for is not there, `ResourceExhausted` when memory is too
    /// small.
    pub fn load(session: &Session, graph: &Graph<I, O>) -> Result<Self> {
        let executable = session.load_plan(graph.plan())?;
        Ok(Loaded { executable, _session: session.shared.clone(), types: PhantomData })
    }

    /// Runs the graph and gives its results in new arrays.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn run<'a>(&mut self, inputs: impl Feeds<'a, I>) -> Result<O::Value> {
        self.executable.run::<I, O>(inputs)
    }

    /// Runs the graph and writes its results into the caller's arrays; allocates nothing, but for the packing
    /// buffers of large products of f32 or f64.
    ///
    /// # Errors
    /// As [`Session::run_into`].
    pub fn run_into<'a, 'o>(
        &mut self,
        inputs: impl Feeds<'a, I>,
        results: impl Fetches<'o, O>,
    ) -> Result<()> {
        self.executable.run_into(inputs, results.targets())
    }

    /// The static plan.
    pub fn plan(&self) -> &'static Plan {
        self.executable.plan()
    }

    /// Where each node runs.
    pub fn placement(&self) -> Placement {
        Placement::new(self.executable.plan(), &self._session.devices, self.executable.devices())
    }
}
