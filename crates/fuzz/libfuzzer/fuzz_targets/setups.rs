//! See `tochki_fuzz::setups`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| tochki_fuzz::setups(bytes));
