//! A small JSON deserializer for browsers, which read only JSON written by our own server.
//!
//! The deserializer of `serde_json` would add code for every type, and all error messages, to the WebAssembly: with it, the main
//! file of the client was 221.0 kB in brotli instead of 194.4 kB, that of the lobby 85.9 kB instead of 76.6 kB. Here an error has
//! no position: invalid JSON comes from another version of this program, and the caller sends the request again. The server,
//! which reads what others write, and programs use `serde_json`.
//!
//! Some JSON that `serde_json` never writes is not accepted. The last digit of a number with more than fifteen digits may
//! be wrong. As in `serde_json`, arrays and objects may be nested [`MAX_DEPTH`] deep, because reading them is recursive.

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use std::borrow::Cow;
use std::fmt;

/// Maximum depth of nested arrays and objects. Each level takes a few hundred bytes of the stack, of which a browser has a
/// megabyte.
pub const MAX_DEPTH: u8 = 128;

/// Deserializes a text that is a single value.
///
/// # Errors
///
/// If the text is not JSON, not of this type, nested too deep, or more than one value.
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, DecodeError> {
    let mut parser = Parser {
        rest: text,
        depth: 0,
    };
    let value = T::deserialize(&mut parser)?;
    match parser.peek() {
        None => Ok(value),
        Some(_) => Err(DecodeError::Invalid),
    }
}

/// Deserializes an event from its name and body.
///
/// # Errors
///
/// If this type has no event with the name, or the body is not that of such an event.
pub fn read_event<T: DeserializeOwned>(name: &str, body: &str) -> Result<T, DecodeError> {
    read(&format!(r#"{{"{name}":{body}}}"#))
}

/// The reason why a text cannot be deserialized.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// The text is not JSON, or not of the expected type.
    Invalid,
    /// The arrays and objects of the text are nested more than [`MAX_DEPTH`] deep.
    TooDeep,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid => f.write_str("invalid JSON"),
            Self::TooDeep => write!(f, "JSON nested more than {MAX_DEPTH} deep"),
        }
    }
}

impl std::error::Error for DecodeError {}

impl Error for DecodeError {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self::Invalid
    }
}

/// The rest of the text, and the number of arrays and objects that are open around it.
struct Parser<'de> {
    rest: &'de str,
    depth: u8,
}

impl<'de> Parser<'de> {
    /// The next character that is not whitespace, which is not consumed.
    fn peek(&mut self) -> Option<u8> {
        self.rest = self.rest.trim_ascii_start();
        self.rest.bytes().next()
    }

    /// Consumes this ASCII character, which must be the next one.
    fn expect(&mut self, character: u8) -> Result<(), DecodeError> {
        if self.peek() == Some(character) {
            self.rest = &self.rest[1..];
            Ok(())
        } else {
            Err(DecodeError::Invalid)
        }
    }

    /// Consumes this bracket, the text that `inside` reads, and the bracket that closes it.
    ///
    /// Values are nested nowhere else, so the depth is counted here alone. After an error the parser is not used again.
    fn bracketed<T>(
        &mut self,
        [open, close]: [u8; 2],
        inside: impl FnOnce(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<T, DecodeError> {
        self.expect(open)?;
        if self.depth == MAX_DEPTH {
            return Err(DecodeError::TooDeep);
        }
        self.depth += 1;
        let value = inside(self)?;
        self.depth -= 1;
        self.expect(close)?;
        Ok(value)
    }

    /// Returns whether another item follows in an array or object. Consumes the comma between two items.
    fn has_next(&mut self, first: &mut bool, end: u8) -> Result<bool, DecodeError> {
        if self.peek() == Some(end) {
            return Ok(false);
        }
        if !std::mem::take(first) {
            self.expect(b',')?;
        }
        Ok(true)
    }

    /// A token that is a number, `null`, `true` or `false`.
    fn literal(&mut self) -> &'de str {
        self.peek();
        let belongs = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (literal, rest) = self.rest.split_at(end);
        self.rest = rest;
        literal
    }

    fn boolean(&mut self) -> Result<bool, DecodeError> {
        match self.literal() {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => Err(DecodeError::Invalid),
        }
    }

    fn string(&mut self) -> Result<Cow<'de, str>, DecodeError> {
        self.expect(b'"')?;
        let mut read = Cow::Borrowed("");
        loop {
            let end = self.rest.find(['"', '\\']).ok_or(DecodeError::Invalid)?;
            let (piece, rest) = self.rest.split_at(end);
            read += piece;
            self.rest = &rest[1..];
            if rest.starts_with('"') {
                return Ok(read);
            }
            read.to_mut().push(self.escape()?);
        }
    }

    /// The rest of an escape sequence, after the backslash.
    fn escape(&mut self) -> Result<char, DecodeError> {
        let mut rest = self.rest.chars();
        let escaped = match rest.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('u') => {
                let (digits, behind) = rest
                    .as_str()
                    .split_at_checked(4)
                    .ok_or(DecodeError::Invalid)?;
                rest = behind.chars();
                let number = u32::from_str_radix(digits, 16).map_err(|_| DecodeError::Invalid)?;
                char::from_u32(number).ok_or(DecodeError::Invalid)?
            }
            Some(other) => other,
            None => return Err(DecodeError::Invalid),
        };
        self.rest = rest.as_str();
        Ok(escaped)
    }

    fn number(&mut self) -> Result<Number, DecodeError> {
        let literal = self.literal();
        if let Ok(integer) = literal.parse() {
            return Ok(Number::Integer(integer));
        }
        let (digits, exponent) = literal.split_once(['e', 'E']).unwrap_or((literal, "0"));
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let digits: i64 = [whole, fraction]
            .concat()
            .parse()
            .map_err(|_| DecodeError::Invalid)?;
        let exponent: i32 = exponent.parse().map_err(|_| DecodeError::Invalid)?;
        let exponent = exponent.saturating_sub(fraction.len() as i32);
        // Both operands are exact if there are at most fifteen digits, so the result is correctly rounded.
        let (digits, ten) = (digits as f64, 10_f64);
        Ok(Number::Float(if exponent < 0 {
            digits / ten.powi(exponent.saturating_neg())
        } else {
            digits * ten.powi(exponent)
        }))
    }
}

enum Number {
    Integer(i64),
    Float(f64),
}

impl Number {
    fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self {
            Self::Integer(number) => visitor.visit_i64(number),
            Self::Float(number) => visitor.visit_f64(number),
        }
    }
}

/// A method for each type of number. With `deserialize_any` alone, each use would contain the code for all JSON types.
macro_rules! numbers {
    ($($name:ident)*) => {
        $(fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
            self.number()?.visit(visitor)
        })*
    };
}

impl<'de> Deserializer<'de> for &mut Parser<'de> {
    type Error = DecodeError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.peek() {
            Some(b'"') => self.deserialize_str(visitor),
            Some(b'{') => self.deserialize_map(visitor),
            Some(b'[') => self.deserialize_seq(visitor),
            Some(b't' | b'f') => self.deserialize_bool(visitor),
            Some(b'n') => self.deserialize_unit(visitor),
            _ => self.number()?.visit(visitor),
        }
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64
        deserialize_f32 deserialize_f64
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_bool(self.boolean()?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        visitor.visit_str(&self.string()?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        match self.literal() {
            "null" => visitor.visit_unit(),
            _ => Err(DecodeError::Invalid),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        if self.peek() == Some(b'n') {
            self.deserialize_unit(visitor)
        } else {
            visitor.visit_some(self)
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.bracketed(*b"[]", |parser| visitor.visit_seq(Items::new(parser)))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, DecodeError> {
        self.bracketed(*b"{}", |parser| visitor.visit_map(Items::new(parser)))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        if self.peek() == Some(b'"') {
            return visitor.visit_enum(Variant {
                parser: self,
                is_string: true,
            });
        }
        self.bracketed(*b"{}", |parser| {
            visitor.visit_enum(Variant {
                parser,
                is_string: false,
            })
        })
    }

    forward_to_deserialize_any! { i128 u128 char bytes byte_buf unit_struct tuple_struct ignored_any }
}

/// The items of an array, or the entries of an object.
struct Items<'r, 'de> {
    parser: &'r mut Parser<'de>,
    first: bool,
}

impl<'r, 'de> Items<'r, 'de> {
    fn new(parser: &'r mut Parser<'de>) -> Self {
        Self {
            parser,
            first: true,
        }
    }
}

impl<'de> SeqAccess<'de> for Items<'_, 'de> {
    type Error = DecodeError;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DecodeError> {
        if self.parser.has_next(&mut self.first, b']')? {
            seed.deserialize(&mut *self.parser).map(Some)
        } else {
            Ok(None)
        }
    }
}

impl<'de> MapAccess<'de> for Items<'_, 'de> {
    type Error = DecodeError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DecodeError> {
        if self.parser.has_next(&mut self.first, b'}')? {
            seed.deserialize(&mut *self.parser).map(Some)
        } else {
            Ok(None)
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, DecodeError> {
        self.parser.expect(b':')?;
        seed.deserialize(&mut *self.parser)
    }
}

/// A variant of an enum: a string, or an object with the name of the variant as its only key.
struct Variant<'r, 'de> {
    parser: &'r mut Parser<'de>,
    is_string: bool,
}

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = DecodeError;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Self), DecodeError> {
        let variant = seed.deserialize(&mut *self.parser)?;
        if !self.is_string {
            self.parser.expect(b':')?;
        }
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = DecodeError;

    fn unit_variant(self) -> Result<(), DecodeError> {
        if self.is_string {
            Ok(())
        } else {
            Err(DecodeError::Invalid)
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(
        self,
        seed: T,
    ) -> Result<T::Value, DecodeError> {
        seed.deserialize(self.parser)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, DecodeError> {
        self.parser.deserialize_seq(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DecodeError> {
        self.parser.deserialize_map(visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Challenge, ChallengeId, LobbyEvent, PlayerCard, PlayerId, WaitingRoom};
    use proptest::prelude::*;
    use serde::{Deserialize, Serialize};
    use std::collections::BTreeMap;
    use std::fmt::Debug;
    use tochki_play::{Event, MatchResult, Rating, RatingChange, Reason, Timestamp};
    use tochki_rules::{GameKind, Seat};

    /// All JSON types that serde derives use.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Sample {
        Nothing,
        Text(String),
        Integer(i64),
        Float(f64),
        Pair([bool; 2]),
        Maybe {
            maybe: Option<u8>,
            other: Option<Box<Sample>>,
        },
        Tuple(u32, ()),
        List(Vec<Sample>),
        Map(BTreeMap<String, Sample>),
    }

    fn samples() -> impl Strategy<Value = Sample> {
        let leaf = prop_oneof![
            Just(Sample::Nothing),
            any::<String>().prop_map(Sample::Text),
            any::<i64>().prop_map(Sample::Integer),
            // Thirteen digits: fewer than fifteen.
            (-10_000_000_000_i64..10_000_000_000).prop_map(|n| Sample::Float(n as f64 / 1000.0)),
            any::<[bool; 2]>().prop_map(Sample::Pair),
            any::<u32>().prop_map(|n| Sample::Tuple(n, ())),
        ];
        leaf.prop_recursive(4, 32, 4, |sample| {
            let maybe = (any::<Option<u8>>(), proptest::option::of(sample.clone()));
            prop_oneof![
                maybe.prop_map(|(maybe, other)| Sample::Maybe {
                    maybe,
                    other: other.map(Box::new)
                }),
                proptest::collection::vec(sample.clone(), 0..4).prop_map(Sample::List),
                proptest::collection::btree_map(".*", sample, 0..4).prop_map(Sample::Map),
            ]
        })
    }

    proptest! {
            #[test]
            fn json_of_serde_json_is_read(sample in samples()) {
                prop_assert_eq!(read(&serde_json::to_string(&sample).unwrap()), Ok(sample.clone()));
                prop_assert_eq!(read(&serde_json::to_string_pretty(&sample).unwrap()), Ok(sample));
            }

            #[test]
            fn truncated_json_is_an_error(sample in samples(), cut in 1_usize..9) {
                let text = serde_json::to_string(&Sample::List(vec![sample])).unwrap();
                let part = text.char_indices().rev().nth(cut).map_or("", |(end, _)| &text[..end]);
                prop_assert_eq!(read::<Sample>(part), Err(DecodeError::Invalid));
            }

            #[test]
            fn values_are_those_of_serde_json(text in r#"[\[\]{}:,"a0-9.eE+\\ntrufalse-]{0,12}"#) {
    // Invalid text must not panic. serde_json may accept more.
                if let (Ok(here), Ok(there)) = (read::<Vec<Sample>>(&text), serde_json::from_str::<Vec<Sample>>(&text)) {
                    prop_assert_eq!(here, there);
                }
            }
        }

    #[track_caller]
    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
        assert_eq!(
            read::<T>(&serde_json::to_string(value).unwrap()).as_ref(),
            Ok(value)
        );
    }

    #[test]
    fn types_of_the_protocol_are_read() {
        let card = PlayerCard {
            id: PlayerId(7),
            name: "Юрий \"\\\n\u{1}".into(),
            rating: 1612.5,
            guest: true,
            provisional: true,
            bot: false,
        };
        let challenge = |kind: &GameKind| Challenge {
            id: ChallengeId(3),
            from: card.clone(),
            to: card.clone(),
            setup: kind.default_setup(),
            clock: "300+5".parse().unwrap(),
            rated: true,
            expires_at: Timestamp(1_764_000_000_000),
        };
        let challenges: Vec<_> = GameKind::ALL.iter().map(challenge).collect();
        challenges.iter().for_each(check);
        let waiting = crate::WaitingPlayer {
            id: card.id,
            name: card.name.clone(),
            rating: card.rating,
            guest: card.guest,
            provisional: false,
            bot: false,
            results: crate::ResultCounts {
                won: 3,
                drawn: 0,
                lost: 1,
            },
            quick_game: Some(crate::QuickGame {
                setup: GameKind::Gomoku.default_setup(),
                clock: "300+5".parse().unwrap(),
                rated: false,
                ratings: crate::RatingBounds {
                    min: Some(1200),
                    max: None,
                },
                since: Timestamp(1_764_000_000_000),
            }),
            unlisted: false,
            just_finished: false,
        };
        let room = WaitingRoom {
            players: vec![waiting],
            challenges,
            ..WaitingRoom::default()
        };
        let encoded = LobbyEvent::Snapshot(room.clone()).encode().unwrap();
        assert_eq!(
            read_event(encoded.name, &encoded.body),
            Ok(LobbyEvent::Snapshot(room))
        );

        let change = RatingChange {
            before: Rating(1600.0),
            after: Rating(1587.5),
            provisional: true,
        };
        let result = MatchResult {
            winner: Some(Seat::Second),
            reason: Reason::Resigned,
            ratings: Some([change, change]),
            by: None,
        };
        let aborted = MatchResult {
            winner: None,
            reason: Reason::Aborted,
            ratings: None,
            by: Some(Seat::First),
        };
        for result in [result, aborted] {
            let event = Event::Finished { result };
            let encoded = event.encode().unwrap();
            assert_eq!(read_event(encoded.name, &encoded.body), Ok(event));
        }
    }

    #[test]
    fn unknown_fields_are_ignored() {
        let text =
            r#" {"more": [{"a": "]}"}, null, -1.5e3], "id": 1, "name": "a", "rating": 1.6e3} "#;
        let card = PlayerCard {
            id: PlayerId(1),
            name: "a".into(),
            rating: 1600.0,
            guest: false,
            provisional: false,
            bot: false,
        };
        assert_eq!(read(text), Ok(card));
        assert_eq!(
            read::<PlayerCard>(&format!("{text}1")),
            Err(DecodeError::Invalid)
        );
        assert_eq!(
            read::<PlayerCard>(r#"{"id":1,"name":"a"}"#),
            Err(DecodeError::Invalid)
        );
    }

    /// A value reduced to its nesting.
    #[derive(Debug, PartialEq, Deserialize)]
    struct Nested(Vec<Nested>);

    /// A text that nests this piece so many times around `1`.
    fn nest([open, close]: [&str; 2], depth: usize) -> String {
        open.repeat(depth) + "1" + &close.repeat(depth)
    }

    /// An attacker can write the address of a page and so the text that is read here, and a stack that overflows ends the
    /// process.
    #[test]
    fn values_are_nested_128_deep_at_most() {
        let depths = [
            usize::from(MAX_DEPTH) - 1,
            usize::from(MAX_DEPTH),
            1_000_000,
        ];
        let pieces = [["[", "]"], [r#"{"a":"#, "}"], [r#"[{"a":"#, "}]"]];
        for (depth, piece) in depths
            .into_iter()
            .flat_map(|d| pieces.map(|piece| (d, piece)))
        {
            let levels = depth * piece[1].len();
            let expected = if levels < usize::from(MAX_DEPTH) {
                Ok(PlayerCard {
                    id: PlayerId(1),
                    name: "a".into(),
                    rating: 1600.0,
                    guest: false,
                    provisional: false,
                    bot: false,
                })
            } else {
                Err(DecodeError::TooDeep)
            };
            // In a field that is ignored.
            let ignored = nest(piece, depth);
            let text = format!(r#"{{"more":{ignored},"id":1,"name":"a","rating":1600}}"#);
            assert_eq!(read::<PlayerCard>(&text), expected, "{piece:?} {depth}");
        }
        // In the type itself, whose arrays and variants are read in turn.
        assert_eq!(
            read::<Nested>(&nest(["[", "]"], 1_000_000)),
            Err(DecodeError::TooDeep)
        );
        let list = nest([r#"{"list":["#, "]}"], 1_000_000);
        assert_eq!(read::<Sample>(&list), Err(DecodeError::TooDeep));
        let maybe = nest([r#"{"maybe":{"maybe":null,"other":"#, "}}"], 1_000_000);
        assert_eq!(read::<Sample>(&maybe), Err(DecodeError::TooDeep));
        // What is closed again does not count.
        let wide = format!("[{}[]]", "[],".repeat(1000));
        assert!(read::<Nested>(&wide).is_ok());
    }

    #[test]
    fn exponents_may_be_of_any_size() {
        for (text, expected) in [
            ("1.5e-2147483648", 0.0),
            ("1.5e2147483647", f64::INFINITY),
            ("-1e2147483647", f64::NEG_INFINITY),
            ("0.5e1", 5.0),
        ] {
            assert_eq!(read::<f64>(text), Ok(expected), "{text}");
        }
        assert_eq!(read::<f64>("1e2147483648"), Err(DecodeError::Invalid));
    }
}
