//! Accounts: names, passwords, guests, tokens, passkeys.

use super::TABLE_NAME_MAX_CHARS;
use super::days;
use std::time::Duration;

/// The shortest name of a player, in characters.
pub const NAME_MIN_CHARS: usize = 2;

/// The longest name of a player, in characters.
pub const NAME_MAX_CHARS: usize = 20;

/// Longer texts, in characters, are cut before they are normalized and looked up as a name. No name is so long in any
/// normalization form.
pub const NAME_INPUT_MAX_CHARS: usize = 256;

/// Maximum number of marks on a letter of a player's name, counted in NFD.
pub const NAME_MAX_MARKS: usize = 2;

/// Number of names without a skeleton that are read at once.
pub const NAME_UPKEEP_BATCH_LEN: i64 = 5000;

/// Time during which nobody else can have the name of a deleted account.
pub const NAME_QUARANTINE: Duration = days(90);

/// The shortest password, in characters.
pub const PASSWORD_MIN_CHARS: usize = 8;

/// The longest password, in characters.
pub const PASSWORD_MAX_CHARS: usize = 128;

/// Minimum number of guesses that a password must withstand, as zxcvbn estimates them. With
/// [`GUESSES_PER_DAY`](super::GUESSES_PER_DAY) this is three years of guessing.
pub const PASSWORD_MIN_GUESSES: u64 = 1_000_000;

/// Number of recovery codes that are made at once.
pub const RECOVERY_CODES: u32 = 10;

/// The longest text in the field of a recovery code, in characters.
pub const RECOVERY_CODE_MAX_CHARS: usize = 64;

/// Lifetime of a guest after the last visit.
pub const GUEST_LIFETIME: Duration = days(30);

/// Maximum number of names that are tried for a guest before a taken one is suggested.
pub const GUEST_NAME_MAX_ATTEMPTS: usize = 5;

/// Number of guests that are deleted in one transaction.
pub const GUEST_DELETION_BATCH_LEN: i64 = 500;

/// Maximum number of tokens of a player.
pub const TOKENS_PER_PLAYER: u32 = 20;

/// The longest name of a token, in characters.
pub const TOKEN_NAME_MAX_CHARS: usize = 40;

/// Lifetime of a token with the end `month`.
pub const TOKEN_MONTH: Duration = days(30);

/// Lifetime of a token with the end `year`.
pub const TOKEN_YEAR: Duration = days(365);

/// Minimum interval between two updates of the time of a token's last use.
pub const TOKEN_USE_INTERVAL: Duration = Duration::from_mins(1);

/// Maximum number of passkeys of an account.
pub const PASSKEYS_MAX: u32 = 20;

/// The longest name of a passkey, in characters.
pub const PASSKEY_NAME_MAX_CHARS: usize = TABLE_NAME_MAX_CHARS;
