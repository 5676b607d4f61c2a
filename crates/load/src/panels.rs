//! The panels of a graph: the lines of each, one run after the other, and their scales.

use crate::sampler::{Run, Sample};
use plotters::style::RGBColor;

/// The seconds between two runs.
const GAP: f64 = 4.0;

/// A quantity that is drawn as a line. The colours differ for the colour-blind, too.
pub(crate) struct Quantity {
    pub(crate) name: &'static str,
    pub(crate) color: RGBColor,
    pub(crate) of: fn(&Sample) -> Option<f64>,
}

/// Lines with one scale on the left, and perhaps a line with another on the right.
pub(crate) struct Panel {
    pub(crate) left: &'static [Quantity],
    pub(crate) right: Option<Quantity>,
}

pub(crate) const PANELS: [Panel; 3] = [
    Panel {
        left: &[Quantity {
            name: "moves a second",
            color: RGBColor(0, 114, 178),
            of: |sample| Some(sample.moves),
        }],
        right: None,
    },
    Panel {
        left: &[
            Quantity {
                name: "append, p99, ms",
                color: RGBColor(213, 94, 0),
                of: |sample| sample.append.map(|[_, p99]| p99 * 1000.0),
            },
            Quantity {
                name: "append, mean, ms",
                color: RGBColor(0, 114, 178),
                of: |sample| sample.append.map(|[mean, _]| mean * 1000.0),
            },
        ],
        right: None,
    },
    Panel {
        left: &[Quantity {
            name: "open streams (left)",
            color: RGBColor(0, 114, 178),
            of: |sample| Some(sample.streams),
        }],
        right: Some(Quantity {
            name: "database connections used (right)",
            color: RGBColor(213, 94, 0),
            of: |sample| Some(sample.connections),
        }),
    },
];

/// Returns the beginning of each run, and the end of the last one, in seconds.
pub(crate) fn begins(runs: &[Run]) -> Vec<f64> {
    let mut begins = vec![0.0];
    for run in runs {
        let len = run.samples.last().map_or(1.0, |sample| sample.at);
        begins.push(begins.last().copied().unwrap_or_default() + len + GAP);
    }
    begins
}

/// Returns the points of a line, for each run.
pub(crate) fn lines<'a>(
    quantity: &'a Quantity,
    runs: &'a [Run],
    begins: &'a [f64],
) -> impl Iterator<Item = Vec<(f64, f64)>> + 'a {
    runs.iter().zip(begins).map(|(run, begin)| {
        let points = run.samples.iter();
        points
            .filter_map(|sample| Some((begin + sample.at, (quantity.of)(sample)?)))
            .collect()
    })
}

/// Returns the upper end of a scale on which all of these have room, and names above them.
pub(crate) fn scale<'a>(
    quantities: impl IntoIterator<Item = &'a Quantity>,
    runs: &'a [Run],
    begins: &'a [f64],
) -> f64 {
    let most = quantities
        .into_iter()
        .flat_map(|quantity| lines(quantity, runs, begins))
        .flatten()
        .map(|(_, value)| value)
        .fold(1.0, f64::max);
    1.5 * most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_drawn_one_after_the_other() {
        let sample = |at: f64, moves: f64| Sample {
            at,
            moves,
            append: None,
            streams: 0.0,
            connections: 0.0,
        };
        let run = |samples: Vec<Sample>| Run {
            name: String::new(),
            samples,
        };
        let runs = [
            run(vec![sample(1.0, 10.0), sample(2.0, 40.0)]),
            run(Vec::new()),
            run(vec![sample(1.0, 20.0)]),
        ];
        let begins = begins(&runs);
        assert_eq!(begins, [0.0, 6.0, 11.0, 16.0]);
        let [moves, append, _] = PANELS.map(|panel| &panel.left[0]);
        let drawn: Vec<_> = lines(moves, &runs, &begins).collect();
        assert_eq!(drawn[0], [(1.0, 10.0), (2.0, 40.0)]);
        assert_eq!(drawn[1], []);
        assert_eq!(drawn[2], [(12.0, 20.0)]);
        assert!((scale([moves], &runs, &begins) - 60.0).abs() < 1e-9);
        assert_eq!(lines(append, &runs, &begins).flatten().count(), 0);
    }
}
