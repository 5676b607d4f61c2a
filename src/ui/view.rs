//! `view!` of Leptos with the type of what it makes taken away on the server. The type of a page is otherwise that of all its
//! elements, and the compiler spends a quarter of an hour on them in a release. The HTML is the same. The browser's code is
//! smaller with the types, so there they stay.

#[cfg(feature = "ssr")]
use leptos::prelude::{AnyView, IntoAny as _, RenderHtml};

/// As `leptos::view`, which an import of this one shadows.
macro_rules! view {
    ($($markup:tt)*) => {
        $crate::ui::view::erase(::leptos::view! { $($markup)* })
    };
}

pub(crate) use view;

/// The view without its type.
#[cfg(feature = "ssr")]
pub(crate) fn erase<V: RenderHtml>(view: V) -> AnyView {
    view.into_owned().into_any()
}

/// The view as it is.
#[cfg(not(feature = "ssr"))]
pub(crate) fn erase<V>(view: V) -> V {
    view
}
