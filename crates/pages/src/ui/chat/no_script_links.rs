//! The links to which the forms of a chat lead without scripts.

/// Links for a page without scripts, which reloads itself unless it is static.
pub(crate) struct NoScriptLinks {
    /// The URL of the page.
    pub(crate) page_url: String,
    /// The URL of the same page without automatic reload, so that typed text is not lost.
    pub(crate) static_url: String,
    /// Whether the current page is the one without automatic reload.
    pub(crate) is_static: bool,
}
