//! The fields of a setup in JSON: each may be left out, and takes its default then.

use serde::{Deserialize, Deserializer};

/// A length as it is sent: any whole number.
pub(crate) struct Length(u8);

impl<'de> Deserialize<'de> for Length {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // No board has a length of 0, so 0 stands for every number that does not fit into a byte.
        i64::deserialize(deserializer).map(|number| Self(u8::try_from(number).unwrap_or(0)))
    }
}

impl From<u8> for Length {
    fn from(length: u8) -> Self {
        Self(length)
    }
}

impl From<Length> for u8 {
    fn from(length: Length) -> Self {
        length.0
    }
}

/// Makes the type `Fields`, from which serde reads the `Setup` of the same module.
macro_rules! fields {
    ($($field:ident: $type:ty),+) => {
        /// The fields of a setup as they are sent, not validated yet.
        #[derive(serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(deny_unknown_fields, default)]
        struct Fields {
            $($field: $type,)+
        }

        impl Default for Fields {
            fn default() -> Self {
                let setup = Setup::DEFAULT;
                Self { $($field: setup.$field().into(),)+ }
            }
        }

        impl TryFrom<Fields> for Setup {
            type Error = crate::InvalidSetup;

            fn try_from(fields: Fields) -> Result<Self, Self::Error> {
                Self::new($(fields.$field.into()),+)
            }
        }
    };
}

pub(crate) use fields;
