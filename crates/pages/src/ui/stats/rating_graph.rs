//! The rating over time as a graph, with the same data as a table.

use crate::ui::text::time::{Date, date_text};
use crate::ui::text::words;
use crate::ui::text::{Language, language, t};
use crate::ui::view::view;
use leptos::prelude::*;
use std::fmt::Write as _;
use tochki_play::Rating;
use tochki_protocol::RatingPoint;

/// The size of the graph in SVG units, and the space for its labels.
const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 40.0;
const BELOW: f64 = 24.0;
const EDGE: f64 = 8.0;

/// The smallest range of ratings on the vertical axis, so that one game does not fill it.
const MIN_RATING_SPAN: f64 = 40.0;

/// The span of time up to which the horizontal axis shows the order of games instead of time.
const ONE_DAY_MS: i64 = 24 * 3_600_000;

/// The graph with its table. The line begins at the start rating.
#[component]
pub(crate) fn RatingGraph(
    points: Vec<RatingPoint>,
    /// The name of the game.
    game: &'static str,
) -> impl IntoView {
    let language = language();
    let label = summary(language, game, &points)?;
    let drawn = drawing(language, &points);
    let rows = points.iter().rev().map(|point| {
        view! {
            <tr>
                <th scope="row">
                    <Date at=point.at />
                </th>
                <td class="number">{words::rating(point.rating)}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    Some(view! {
        <figure class="ratings">
            <svg
                class="rating-graph"
                viewBox=format!("0 0 {WIDTH} {HEIGHT}")
                role="img"
                aria-label=label
                inner_html=drawn
            ></svg>
            <details>
                <summary>{t!(language, profile.as_table)}</summary>
                <div class="scrolled" tabindex="0" role="region" aria-label=t!(language, profile.as_table)>
                    <table class="listed">
                        <thead>
                            <tr>
                                <th scope="col">{t!(language, profile.day)}</th>
                                <th scope="col" class="number">
                                    {t!(language, waiting.rating)}
                                </th>
                            </tr>
                        </thead>
                        <tbody>{rows}</tbody>
                    </table>
                </div>
            </details>
        </figure>
    })
}

/// Describes the graph in one sentence, for screen readers.
fn summary(language: Language, game: &str, points: &[RatingPoint]) -> Option<String> {
    let (first, last) = (points.first()?, points.last()?);
    let ratings = points.iter().map(|point| point.rating);
    let highest = ratings.clone().fold(Rating::START.0, f64::max);
    let lowest = ratings.fold(Rating::START.0, f64::min);
    Some(t!(
        language,
        profile.graph,
        game = game,
        from = date_text(language, first.at),
        to = date_text(language, last.at),
        rating = words::rating(last.rating),
        highest = words::rating(highest),
        lowest = words::rating(lowest)
    ))
}

/// Draws axes, labels and line as SVG markup. The markup contains no user text.
fn drawing(language: Language, points: &[RatingPoint]) -> String {
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return String::new();
    };
    let start = RatingPoint {
        at: first.at,
        rating: Rating::START.0,
    };
    let all: Vec<RatingPoint> = std::iter::once(start)
        .chain(points.iter().copied())
        .collect();
    let span = last.at.0 - first.at.0;
    let along = |number: usize, point: &RatingPoint| {
        let part = if span < ONE_DAY_MS {
            number as f64 / (all.len() - 1) as f64
        } else {
            (point.at.0 - first.at.0) as f64 / span as f64
        };
        LEFT + part * (WIDTH - LEFT - EDGE)
    };
    let scale = Scale::of(&all);
    let mut svg = String::new();
    for rating in scale.ticks() {
        let y = scale.y(rating);
        // Writing into a string cannot fail.
        let _ = write!(
            svg,
            r#"<path class="tick" d="M{LEFT} {y:.1}H{}"/><text class="number" x="{}" y="{:.1}">{rating}</text>"#,
            WIDTH - EDGE,
            LEFT - 6.0,
            y + 4.0
        );
    }
    let mut line = String::new();
    for (number, point) in all.iter().enumerate() {
        let command = if number == 0 { 'M' } else { 'L' };
        let _ = write!(
            line,
            "{command}{:.1} {:.1}",
            along(number, point),
            scale.y(point.rating)
        );
    }
    let _ = write!(svg, r#"<path class="rating-line" d="{line}"/>"#);
    let (x, y) = (along(all.len() - 1, last), scale.y(last.rating));
    let _ = write!(
        svg,
        r#"<circle class="rating-now" cx="{x:.1}" cy="{y:.1}" r="3.5"/>"#
    );
    let below = HEIGHT - 6.0;
    let from = date_text(language, first.at);
    let _ = write!(svg, r#"<text x="{LEFT}" y="{below}">{from}</text>"#);
    if span >= ONE_DAY_MS {
        let to = date_text(language, last.at);
        let _ = write!(
            svg,
            r#"<text class="end" x="{}" y="{below}">{to}</text>"#,
            WIDTH - EDGE
        );
    }
    svg
}

/// The vertical axis.
struct Scale {
    low: f64,
    high: f64,
    step: f64,
}

impl Scale {
    fn of(points: &[RatingPoint]) -> Self {
        let ratings = points.iter().map(|point| point.rating);
        let lowest = ratings.clone().fold(f64::INFINITY, f64::min);
        let highest = ratings.fold(f64::NEG_INFINITY, f64::max);
        let short = (MIN_RATING_SPAN - (highest - lowest)).max(0.0) / 2.0;
        let (lowest, highest) = (lowest - short, highest + short);
        let steps = [10.0, 20.0, 50.0, 100.0, 200.0, 500.0];
        let fits = |step: &f64| (highest - lowest) / step <= 4.0;
        let step = steps.into_iter().find(fits).unwrap_or(1000.0);
        Self {
            low: (lowest / step).floor() * step,
            high: (highest / step).ceil() * step,
            step,
        }
    }

    fn y(&self, rating: f64) -> f64 {
        let part = (self.high - rating) / (self.high - self.low);
        EDGE + part * (HEIGHT - BELOW - EDGE)
    }

    fn ticks(&self) -> impl Iterator<Item = f64> {
        let count = ((self.high - self.low) / self.step).round() as u32;
        (0..=count).map(|number| self.low + f64::from(number) * self.step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_play::Timestamp;

    fn points(ratings: &[f64], apart: i64) -> Vec<RatingPoint> {
        let point = |(number, &rating): (usize, &f64)| RatingPoint {
            at: Timestamp(1_795_305_600_000 + number as i64 * apart),
            rating,
        };
        ratings.iter().enumerate().map(point).collect()
    }

    #[track_caller]
    fn check(ratings: &[f64], apart: i64, line: &str, labels: &[&str]) {
        let drawn = drawing(Language::En, &points(ratings, apart));
        assert!(drawn.contains(&format!(r#"d="{line}""#)), "{drawn}");
        let written = drawn.split("<text").skip(1);
        let written: Vec<_> = written
            .filter_map(|text| text.split(['>', '<']).nth(1))
            .collect();
        assert_eq!(written, labels);
    }

    #[test]
    fn one_game_leads_from_the_beginning_to_now() {
        let labels = [
            "1580",
            "1590",
            "1600",
            "1610",
            "1620",
            "1630",
            "22 Nov 2026",
        ];
        check(&[1612.5], 0, "M40.0 108.8L352.0 66.8", &labels);
    }

    #[test]
    fn many_days_lie_as_far_apart_as_they_were() {
        let days = points(&[1700.0, 1500.0, 1600.0], 10 * 86_400_000);
        let drawn = drawing(Language::En, &days);
        assert!(
            drawn.contains(r#"d="M40.0 92.0L40.0 8.0L196.0 176.0L352.0 92.0""#),
            "{drawn}"
        );
        assert!(
            drawn.contains(">22 Nov 2026<") && drawn.contains(">12 Dec 2026<"),
            "{drawn}"
        );
    }

    #[test]
    fn the_scale_holds_every_rating_and_has_few_marks() {
        for (low, high) in [
            (1600.0, 1600.0),
            (1587.5, 1612.5),
            (830.2, 2644.9),
            (1999.9, 2000.1),
        ] {
            let scale = Scale::of(&points(&[low, high], 1));
            let ticks: Vec<_> = scale.ticks().collect();
            assert!(scale.low <= low && high <= scale.high, "{low} {high}");
            assert!((2..=6).contains(&ticks.len()), "{ticks:?}");
        }
    }
}
