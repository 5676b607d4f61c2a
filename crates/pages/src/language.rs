//! The languages of the pages: the files of `locales/`, and the pseudo-language of tests.

include!(concat!(env!("OUT_DIR"), "/language.rs"));
