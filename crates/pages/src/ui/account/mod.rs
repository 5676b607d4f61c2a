//! Registration, login, and the account page.

mod credentials_form;
mod form_parts;
mod keep_account;
mod kept;
mod login;
mod mail;
mod page;
mod passkeys;
mod recovery;
mod register;
mod secret_list;
mod tokens;

pub(crate) use keep_account::KeepAccountPage;
pub(crate) use login::LoginPage;
pub use mail::MailHere;
pub(crate) use mail::{ConfirmMailPage, ResetByMailPage, UnsubscribePage};
pub(crate) use page::AccountPage;
pub use passkeys::PasskeysHere;
pub use recovery::NewRecoveryCodes;
pub(crate) use recovery::{RecoverPage, RecoveryCodesPage, RecoveryOffer};
pub(crate) use register::RegisterPage;
pub(crate) use tokens::NewTokenPage;
pub use tokens::ShownToken;
