//! `view!` of Leptos with type erasure on the server (`AnyView`). Otherwise the type of a page contains the types of all its
//! elements, and a release takes a quarter of an hour longer to compile. The HTML is the same. In the browser the types stay,
//! because the WebAssembly is smaller with them.

#[cfg(feature = "ssr")]
use leptos::prelude::{AnyView, IntoAny as _, RenderHtml};

/// Replaces `leptos::view`: importing this macro shadows it.
macro_rules! view {
    ($($markup:tt)*) => {
        $crate::ui::view::erase(::leptos::view! { $($markup)* })
    };
}

pub(crate) use view;

/// Erases the type of a view.
#[cfg(feature = "ssr")]
pub(crate) fn erase<V: RenderHtml>(view: V) -> AnyView {
    view.into_owned().into_any()
}

/// Returns the view unchanged.
#[cfg(not(feature = "ssr"))]
pub(crate) fn erase<V>(view: V) -> V {
    view
}

/// The attribute of an element whose texts change while the page is open, as `{..live()}`: no translator puts others in their
/// places. The server alone adds it, so the code of the browser need not have it.
#[cfg(feature = "ssr")]
pub(crate) fn live() -> impl leptos::tachys::html::attribute::Attribute {
    leptos::tachys::html::attribute::custom::custom_attribute("translate", "no")
}

/// No attribute.
#[cfg(not(feature = "ssr"))]
pub(crate) fn live() {}
