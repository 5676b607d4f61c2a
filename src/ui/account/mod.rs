//! Registration, login, and the account page.

mod credentials_form;
mod keep_account;
mod login;
mod page;
mod register;

pub(crate) use keep_account::KeepAccountPage;
pub(crate) use login::LoginPage;
pub(crate) use page::AccountPage;
pub(crate) use register::RegisterPage;
