//! Names of players in the database: their holders, and the upkeep of older ones. What a valid name is, is in `tochki_names`.

pub(crate) mod db;
pub(crate) mod upkeep;

use tochki_names::InvalidName;
use tochki_protocol::{ApiError, Code};

impl From<InvalidName> for crate::Error {
    fn from(invalid: InvalidName) -> Self {
        let refused = ApiError::from(Code::InvalidName);
        refused.with_message(invalid.message()).into()
    }
}
