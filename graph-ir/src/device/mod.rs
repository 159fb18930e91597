//! Device names: `/job:worker/replica:0/task:1/device:GPU:1` and its shorter forms.
//!
//! A name restricts where a node may run. Each of its five fields is set or left open, and `*` as a value is the
//! same as leaving the field out, so `/job:*/gpu:*` sets the device type and nothing else. The rules are
//! TensorFlow's, without what it lets through in silence: a part given twice, an index above 2147483647, a type
//! that is neither CPU nor GPU, an index without a type, a name that says nothing.
//!
//! Parsing and merging run in a `const` and allocate nothing; only [`ParseError::suggestion`] does.

mod error;
mod lookalike;
mod merge;
mod parse;
mod repair;
#[cfg(test)]
mod tests;

pub use error::{ParseError, ParseErrorKind, Part};
pub use merge::MergeConflict;

/// The largest replica, task or device index that a name may hold, which is TensorFlow's `int32` limit.
pub const MAXIMUM_INDEX: u32 = i32::MAX as u32;

/// The kind of a device.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum DeviceType {
    /// The host's processors.
    Cpu,
    /// A graphics processor, real or virtual.
    Gpu,
}

impl DeviceType {
    /// The name that device strings use: `CPU` or `GPU`.
    pub const fn name(self) -> &'static str {
        match self {
            DeviceType::Cpu => "CPU",
            DeviceType::Gpu => "GPU",
        }
    }
}

impl core::fmt::Display for DeviceType {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.name())
    }
}

/// A device name, whole or partial. `None` in a field means that the name leaves it open.
///
/// The fields are independent: merging may give an index without a type, which prints as nothing but still
/// restricts [`is_complete_specification`](DeviceSpec::is_complete_specification). A value from
/// [`parse`](DeviceSpec::parse) never has that shape, has no number above [`MAXIMUM_INDEX`], and its job is an ASCII
/// letter followed by letters, digits and `_`; who fills the fields by hand keeps to the same rules if the value is
/// to be printed and parsed again.
///
/// ```
/// use graph_ir::{DeviceSpec, DeviceType};
///
/// const GPU_1: DeviceSpec<'static> = match DeviceSpec::parse("/gpu:1") {
///     Ok(spec) => spec,
///     Err(_) => panic!("a valid name"),
/// };
/// assert_eq!((GPU_1.device_type, GPU_1.index), (Some(DeviceType::Gpu), Some(1)));
/// assert_eq!(GPU_1.to_string(), "/device:GPU:1");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct DeviceSpec<'a> {
    /// The name of a group of processes, such as `localhost`, `worker`, `ps`; compared case-sensitively.
    pub job: Option<&'a str>,
    /// The replica within the job.
    pub replica: Option<u32>,
    /// The process within the job and replica.
    pub task: Option<u32>,
    /// The kind of device.
    pub device_type: Option<DeviceType>,
    /// Which of the devices of that type in the process.
    pub index: Option<u32>,
}

impl<'a> DeviceSpec<'a> {
    /// The name that leaves every field open; it prints as the empty string.
    pub const EMPTY: DeviceSpec<'static> =
        DeviceSpec { job: None, replica: None, task: None, device_type: None, index: None };

    /// Reads a device name.
    ///
    /// # Errors
    ///
    /// The first mistake in `text`, with its place. A character that no name may hold (blank, non-ASCII) comes before
    /// all other mistakes, since it is often invisible.
    pub const fn parse(text: &'a str) -> Result<DeviceSpec<'a>, ParseError<'a>> {
        parse::parse(text)
    }

    /// The full name of a device of this process: `/job:localhost/replica:0/task:0/device:GPU:0` for a GPU and 0.
    pub const fn local(device_type: DeviceType, index: u32) -> DeviceSpec<'static> {
        DeviceSpec {
            job: Some("localhost"),
            replica: Some(0),
            task: Some(0),
            device_type: Some(device_type),
            index: Some(index),
        }
    }

    /// Whether every field is open.
    pub const fn is_empty(&self) -> bool {
        matches!(self, DeviceSpec { job: None, replica: None, task: None, device_type: None, index: None })
    }

    /// Whether every field is set, so that the name means at most one device.
    pub const fn is_fully_specified(&self) -> bool {
        matches!(
            self,
            DeviceSpec {
                job: Some(_),
                replica: Some(_),
                task: Some(_),
                device_type: Some(_),
                index: Some(_)
            }
        )
    }
}

/// The canonical form: job, replica, task, device in this order, `*` for an open index of a set type.
impl core::fmt::Display for DeviceSpec<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        if let Some(job) = self.job {
            write!(f, "/job:{job}")?;
        }
        if let Some(replica) = self.replica {
            write!(f, "/replica:{replica}")?;
        }
        if let Some(task) = self.task {
            write!(f, "/task:{task}")?;
        }
        match (self.device_type, self.index) {
            (Some(device_type), Some(index)) => write!(f, "/device:{device_type}:{index}"),
            (Some(device_type), None) => write!(f, "/device:{device_type}:*"),
            (None, _) => Ok(()),
        }
    }
}
