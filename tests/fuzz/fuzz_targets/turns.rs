#![no_main]

#[path = "../harness.rs"]
#[allow(dead_code, reason = "a target uses its own part")]
mod harness;

libfuzzer_sys::fuzz_target!(|data: &[u8]| harness::turns(data));
