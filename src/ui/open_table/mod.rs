//! What the page of an open table is made of. The server draws all of it; with scripts `public/open_table.js` fetches the
//! page again when something changes, and takes over the parts that are named `data-live` and look different.

mod actions;
mod chairs;
mod guest;
mod invite;

pub(super) use actions::Actions;
pub(super) use chairs::Chairs;
pub(super) use guest::GuestForm;
pub(super) use invite::Invite;
