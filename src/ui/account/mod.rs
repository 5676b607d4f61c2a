//! Signing up, signing in, and the account page.

mod keep;
mod login;
mod page;
mod register;

pub(crate) use keep::Keep;
pub(crate) use login::Login;
pub(crate) use page::Account;
pub(crate) use register::Register;
