//! Device names: the ways to combine and to compare two.
//!
//! Named after TensorFlow's functions, whose results they reproduce. Only [`DeviceSpec::merge`] and
//! [`DeviceSpec::resolve_scopes`] see what the user nested; the others serve placement.

use super::DeviceSpec;

/// The field in which two device names disagree so that they can't be merged.
///
/// Where several disagree it is the first in the order of the variants.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MergeConflict {
    /// Two different jobs.
    Job,
    /// Two different replicas.
    Replica,
    /// Two different tasks.
    Task,
    /// CPU and GPU.
    DeviceType,
    /// Two different device indices.
    Index,
}

impl core::fmt::Display for MergeConflict {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            MergeConflict::Job => "incompatible jobs",
            MergeConflict::Replica => "incompatible replicas",
            MergeConflict::Task => "incompatible tasks",
            MergeConflict::DeviceType => "incompatible types",
            MergeConflict::Index => "incompatible ids",
        })
    }
}

impl core::error::Error for MergeConflict {}

impl<'a> DeviceSpec<'a> {
    /// Nested scopes: each field that `inner` sets wins, the others come from `outer` (`make_merged_spec`).
    ///
    /// Type and index are separate fields: `/device:CPU:*` inside `/device:GPU:1` is `/device:CPU:1`.
    pub const fn merge(outer: DeviceSpec<'a>, inner: DeviceSpec<'a>) -> DeviceSpec<'a> {
        DeviceSpec {
            job: if inner.job.is_some() { inner.job } else { outer.job },
            replica: if inner.replica.is_some() { inner.replica } else { outer.replica },
            task: if inner.task.is_some() { inner.task } else { outer.task },
            device_type: if inner.device_type.is_some() { inner.device_type } else { outer.device_type },
            index: if inner.index.is_some() { inner.index } else { outer.index },
        }
    }

    /// What a stack of nested scopes asks for, outermost scope first.
    ///
    /// `None` is `device(none)`: what lies outside of it is not seen. No scopes at all give [`DeviceSpec::EMPTY`].
    pub const fn resolve_scopes(scopes: &[Option<DeviceSpec<'a>>]) -> DeviceSpec<'a> {
        let mut result = DeviceSpec::EMPTY;
        let mut at = scopes.len();
        while at > 0 {
            at -= 1;
            match scopes[at] {
                Some(scope) => result = DeviceSpec::merge(scope, result),
                None => break,
            }
        }
        result
    }

    /// Fills the fields that `self` leaves open from `other` (`MergeUnsetDevNames`).
    ///
    /// The same as [`merge`](DeviceSpec::merge) with `self` inside `other`.
    pub const fn merge_unset(self, other: DeviceSpec<'a>) -> DeviceSpec<'a> {
        DeviceSpec::merge(other, self)
    }

    /// Lays `other` over `self`: its type and index win (`MergeOverrideDevNames`).
    ///
    /// # Errors
    ///
    /// Unlike [`merge`](DeviceSpec::merge) it refuses two different jobs, replicas or tasks.
    pub const fn merge_override(self, other: DeviceSpec<'a>) -> Result<DeviceSpec<'a>, MergeConflict> {
        match task_conflict(&self, &other) {
            Some(conflict) => Err(conflict),
            None => Ok(DeviceSpec::merge(self, other)),
        }
    }

    /// What satisfies both, for nodes that must stand together (`MergeDevNames`).
    ///
    /// With `allow_soft_placement` two types that disagree leave type and index open, and two indices that disagree
    /// leave the index open.
    ///
    /// # Errors
    ///
    /// The field that disagrees. Soft placement does not relax job, replica and task.
    pub const fn merge_colocated(
        self,
        other: DeviceSpec<'a>,
        allow_soft_placement: bool,
    ) -> Result<DeviceSpec<'a>, MergeConflict> {
        if let Some(conflict) = task_conflict(&self, &other) {
            return Err(conflict);
        }
        let mut merged = DeviceSpec::merge(self, other);
        if let (Some(left), Some(right)) = (self.device_type, other.device_type)
            && left as u8 != right as u8
        {
            if !allow_soft_placement {
                return Err(MergeConflict::DeviceType);
            }
            merged.device_type = None;
            merged.index = None;
        } else if numbers_differ(self.index, other.index) {
            if !allow_soft_placement {
                return Err(MergeConflict::Index);
            }
            merged.index = None;
        }
        Ok(merged)
    }

    /// Whether `more_specific` sets every field that `less_specific` sets, to the same values (`IsSpecification`).
    pub const fn is_specification(less_specific: DeviceSpec<'_>, more_specific: DeviceSpec<'_>) -> bool {
        let job = match (less_specific.job, more_specific.job) {
            (Some(less), Some(more)) => same_text(less, more),
            (less, _) => less.is_none(),
        };
        let device_type = match (less_specific.device_type, more_specific.device_type) {
            (Some(less), Some(more)) => less as u8 == more as u8,
            (less, _) => less.is_none(),
        };
        job && device_type
            && number_is_specification(less_specific.replica, more_specific.replica)
            && number_is_specification(less_specific.task, more_specific.task)
            && number_is_specification(less_specific.index, more_specific.index)
    }

    /// Whether the device called `name` satisfies the request `pattern` (`IsCompleteSpecification`).
    ///
    /// A name that is not [fully specified](DeviceSpec::is_fully_specified) names no device and satisfies nothing.
    pub const fn is_complete_specification(pattern: DeviceSpec<'_>, name: DeviceSpec<'_>) -> bool {
        name.is_fully_specified() && DeviceSpec::is_specification(pattern, name)
    }
}

/// The first of job, replica and task that both set and that differs.
const fn task_conflict(left: &DeviceSpec<'_>, right: &DeviceSpec<'_>) -> Option<MergeConflict> {
    if let (Some(left), Some(right)) = (left.job, right.job)
        && !same_text(left, right)
    {
        return Some(MergeConflict::Job);
    }
    if numbers_differ(left.replica, right.replica) {
        return Some(MergeConflict::Replica);
    }
    if numbers_differ(left.task, right.task) {
        return Some(MergeConflict::Task);
    }
    None
}

const fn numbers_differ(left: Option<u32>, right: Option<u32>) -> bool {
    matches!((left, right), (Some(left), Some(right)) if left != right)
}

const fn number_is_specification(less: Option<u32>, more: Option<u32>) -> bool {
    match (less, more) {
        (Some(less), Some(more)) => less == more,
        (less, _) => less.is_none(),
    }
}

/// `==` of `str` is not `const`.
const fn same_text(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    if left.len() != right.len() {
        return false;
    }
    let mut at = 0;
    while at < left.len() {
        if left[at] != right[at] {
            return false;
        }
        at += 1;
    }
    true
}
