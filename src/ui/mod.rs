//! x
use leptos::prelude::*;
#[allow(missing_docs)]
mod gen {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}
use r#gen::i18n::*;
/// The whole application.
#[component]
pub fn App() -> impl IntoView {
  let l = Locale::en;
  let a: () = td_string!(l, site.name);
  let b: () = td_string!(l, a.hello, name = "x");
  let c: () = td_string!(l, a.n, count = 3);
}
