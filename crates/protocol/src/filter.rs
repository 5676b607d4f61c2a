//! The filter of a waiting room, applied by the server and by the page.

use super::{ApiError, Code, WaitingPlayer, shown_rating};
use serde::{Deserialize, Serialize};

/// A range of rounded ratings, bounds included, and a part of a name, ignoring case. An empty field does not filter. A guest has
/// no rating, so is in no range.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Filter {
    min: Option<f64>,
    max: Option<f64>,
    name: String,
}

impl Filter {
    /// A filter with a valid range.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidFilter`] if `min` is greater than `max`.
    pub fn new(min: Option<f64>, max: Option<f64>, name: &str) -> Result<Self, ApiError> {
        match (min, max) {
            (Some(min), Some(max)) if min > max => Err(Code::InvalidFilter.into()),
            _ => Ok(Self {
                min,
                max,
                name: name.trim().to_lowercase(),
            }),
        }
    }

    /// Reads the fields of a form or an address.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidFilter`] if a bound is no number, or the lower is above the upper.
    pub fn read(
        min: Option<&str>,
        max: Option<&str>,
        name: Option<&str>,
    ) -> Result<Self, ApiError> {
        Self::new(number(min)?, number(max)?, name.unwrap_or_default())
    }

    /// Returns whether this player passes the filter.
    pub fn matches(&self, card: &WaitingPlayer) -> bool {
        let rating = shown_rating(card.rating);
        self.min.is_none_or(|min| rating >= min && !card.guest)
            && self.max.is_none_or(|max| rating <= max && !card.guest)
            && (self.name.is_empty() || card.name.to_lowercase().contains(&self.name))
    }
}

fn number(field: Option<&str>) -> Result<Option<f64>, ApiError> {
    match field.map(str::trim).filter(|text| !text.is_empty()) {
        None => Ok(None),
        Some(text) => match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Some(number)),
            _ => Err(Code::InvalidFilter.into()),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PlayerId, ResultCounts};

    #[test]
    fn rounded_ratings_are_compared_with_both_bounds() {
        let card = WaitingPlayer {
            id: PlayerId(1),
            name: "Ёжик".into(),
            rating: 1612.5,
            guest: false,
            provisional: false,
            bot: false,
            results: ResultCounts::default(),
            quick_game: None,
            unlisted: false,
            just_finished: false,
        };
        let shows = |min, max, name| Filter::read(min, max, name).unwrap().matches(&card);
        assert!(shows(Some("1612"), Some("1612"), None));
        assert!(!shows(None, Some("1611"), None));
        assert!(!shows(Some("1613"), None, Some("")));
        assert!(shows(Some(""), None, Some("ЖИ")));
        assert!(!shows(None, None, Some("x")));
        let guest = WaitingPlayer {
            guest: true,
            ..card.clone()
        };
        let shows = |min, max| Filter::read(min, max, None).unwrap().matches(&guest);
        assert!(shows(None, None) && !shows(Some("1"), None) && !shows(None, Some("9999")));
    }

    #[test]
    fn invalid_ranges_are_refused() {
        for (min, max) in [("a", ""), ("", "NaN"), ("2", "1"), ("inf", "")] {
            assert_eq!(
                Filter::read(Some(min), Some(max), None).unwrap_err().code,
                Code::InvalidFilter
            );
        }
    }
}
