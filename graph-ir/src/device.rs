//! Device names (provisional).
#[allow(missing_docs, reason = "stub")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeviceType {
    Cpu,
    Gpu,
}
#[allow(missing_docs, reason = "stub")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceSpec<'a> {
    pub text: &'a str,
}
#[allow(missing_docs, reason = "stub")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParseError {
    pub start: usize,
    pub end: usize,
}
#[allow(missing_docs, reason = "stub")]
impl<'a> DeviceSpec<'a> {
    pub const fn parse(text: &'a str) -> Result<DeviceSpec<'a>, ParseError> {
        Ok(DeviceSpec { text, device_type: None, index: None })
    }
    pub const fn merge(_outer: DeviceSpec<'a>, inner: DeviceSpec<'a>) -> DeviceSpec<'a> {
        inner
    }
}
impl core::fmt::Display for DeviceSpec<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.text)
    }
}
impl core::fmt::Display for ParseError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("bad")
    }
}
#[allow(missing_docs, reason = "stub")]
impl ParseError {
    pub fn suggestion(&self) -> Option<String> {
        None
    }
}
#[allow(missing_docs, reason = "stub")]
impl DeviceSpec<'_> {
    pub fn is_specification_of(&self, o: DeviceSpec<'_>) -> bool {
        self.text == o.text
    }
}
