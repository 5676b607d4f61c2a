//! See `tochki_fuzz::wthor`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::wthor(bytes));
