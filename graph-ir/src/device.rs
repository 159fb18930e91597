//! Device names.
/// placeholder
pub struct DeviceSpec;
/// placeholder
pub struct DeviceType;
