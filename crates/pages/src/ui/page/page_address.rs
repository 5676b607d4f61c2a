//! The address by which a page was asked for.

/// The address of this page, with the origin by which others reach it. In the context of the server alone.
#[derive(Clone, Debug)]
pub struct PageAddress {
    /// Such as `https://tochki.example`.
    pub origin: String,
    /// The path, as it was asked for.
    pub path: String,
    /// The query, without `?`; empty if there is none.
    pub query: String,
}
