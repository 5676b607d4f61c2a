//! See `tochki_fuzz::json_records`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::json_records(bytes));
