//! See `tochki_fuzz::psq`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::psq(bytes));
