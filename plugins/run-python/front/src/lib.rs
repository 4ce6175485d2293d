//! Judges tests of run-python that only assert what calls with literals answer, as its judge in
//! Python does, with the same answer in a tenth of the fuel. What may need more than is known
//! here is left to that judge: the answer is then empty.

mod ask;
mod case;
mod peer;
mod report;
mod tests;
mod value;

#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code)]
#[unsafe(export_name = "tests")]
extern "C" fn exported(ptr: u32, len: u32) -> u64 {
    // The host wrote `len` bytes to room that `alloc` gave it.
    let input = unsafe { std::slice::from_raw_parts(ptr as *const u8, len as usize) };
    let answer = answer(input).unwrap_or_default().leak();
    (answer.as_ptr() as u64) << 32 | answer.len() as u64
}

/// Answers a request; `None`: the judge in Python does.
pub fn answer(input: &[u8]) -> Option<Vec<u8>> {
    let root = rubric_host_sdk::parse(std::str::from_utf8(input).ok()?).ok()?;
    let case = case::Case::read(&root)?;
    let of = tests::read(&case.tests, case.form == case::Form::Check)?;
    let name = if case.entry.is_empty() { of.name } else { case.entry };
    if !case::calls(name) || case.form != case::Form::Check && name != of.name || case.form == case::Form::List && of.found.len() != case.count {
        return None;
    }
    let found = ask::judge(&case, &of, name)?;
    Some(report::write(&case, &found))
}
