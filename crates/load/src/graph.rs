//! A graph of the metrics during the runs, as SVG.

use crate::Result;
use crate::panels::{PANELS, Panel, begins, lines, scale};
use crate::sampler::Run;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::{
    Cartesian2d, ChartBuilder, ChartContext, DrawingArea, IntoDrawingArea as _, LineSeries,
    PathElement, RGBColor, SVGBackend, SeriesLabelPosition, Text, WHITE,
};
use plotters::style::Color as _;
use std::path::Path;

/// The width and height in pixels.
const SIZE: (u32, u32) = (1200, 900);

/// The colour of the lines between runs.
const GREY: RGBColor = RGBColor(150, 150, 150);

/// Writes the graph of these runs.
pub(crate) fn draw(file: &Path, runs: &[Run]) -> Result<()> {
    let area = SVGBackend::new(file, SIZE).into_drawing_area();
    // Readable on a dark page, too.
    area.fill(&WHITE)?;
    let begins = begins(runs);
    for (panel, area) in PANELS.iter().zip(area.split_evenly((PANELS.len(), 1))) {
        draw_panel(panel, &area, runs, &begins)?;
    }
    area.present()?;
    Ok(())
}

fn draw_panel(
    panel: &Panel,
    area: &DrawingArea<SVGBackend<'_>, Shift>,
    runs: &[Run],
    begins: &[f64],
) -> Result<()> {
    let end = begins.last().copied().unwrap_or_default().max(1.0);
    let top = scale(panel.left, runs, begins);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .right_y_label_area_size(64)
        .build_cartesian_2d(0.0..end, 0.0..top)?
        .set_secondary_coord(0.0..end, 0.0..scale(&panel.right, runs, begins));
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .label_style(("sans-serif", 14))
        .x_desc("seconds of measurement")
        .x_label_formatter(&|value| label(*value))
        .y_label_formatter(&|value| label(*value))
        .draw()?;
    mark_runs(&mut chart, runs, begins, (end, top))?;
    for quantity in panel.left {
        for (number, points) in lines(quantity, runs, begins).enumerate() {
            let drawn =
                chart.draw_series(LineSeries::new(points, quantity.color.stroke_width(2)))?;
            if number == 0 {
                drawn
                    .label(quantity.name)
                    .legend(|(x, y)| PathElement::new([(x, y), (x + 18, y)], quantity.color));
            }
        }
    }
    if let Some(quantity) = &panel.right {
        chart
            .configure_secondary_axes()
            .label_style(("sans-serif", 14))
            .y_label_formatter(&|value| label(*value))
            .draw()?;
        for (number, points) in lines(quantity, runs, begins).enumerate() {
            let line = LineSeries::new(points, quantity.color.stroke_width(2));
            let drawn = chart.draw_secondary_series(line)?;
            if number == 0 {
                drawn
                    .label(quantity.name)
                    .legend(|(x, y)| PathElement::new([(x, y), (x + 18, y)], quantity.color));
            }
        }
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(("sans-serif", 14))
        .background_style(WHITE)
        .border_style(GREY)
        .draw()?;
    Ok(())
}

/// Draws the beginning of each run, and its name.
fn mark_runs(
    chart: &mut ChartContext<'_, SVGBackend<'_>, Cartesian2d<RangedCoordf64, RangedCoordf64>>,
    runs: &[Run],
    begins: &[f64],
    (end, top): (f64, f64),
) -> Result<()> {
    for (number, (run, begin)) in runs.iter().zip(begins).enumerate() {
        chart.draw_series([PathElement::new([(*begin, 0.0), (*begin, top)], GREY)])?;
        // Neighbours are not written over each other.
        let height = top * if number % 2 == 0 { 0.98 } else { 0.9 };
        let place = (begin + 0.004 * end, height);
        let style = ("sans-serif", 14);
        chart.draw_series([Text::new(run.name.clone(), place, style)])?;
    }
    Ok(())
}

/// Formats a number at an axis.
fn label(value: f64) -> String {
    if value.fract().abs() < 1e-9 {
        format!("{value:.0}")
    } else {
        format!("{value:.1}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sampler::Sample;

    #[test]
    fn a_graph_has_every_run_on_white() {
        let run = |name: &str| Run {
            name: name.to_owned(),
            samples: (1..=10)
                .map(|second| Sample {
                    at: f64::from(second),
                    moves: 4000.0 + 10.0 * f64::from(second),
                    append: (second > 2).then_some([0.002, 0.009]),
                    streams: f64::from(second) * 100.0,
                    connections: 3.0,
                })
                .collect(),
        };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("graph.svg");
        draw(&file, &[run("64 matches"), run("1000 streams")]).unwrap();
        let svg = std::fs::read_to_string(&file).unwrap();
        for part in [
            "<svg",
            "fill=\"#FFFFFF\"",
            "64 matches",
            "1000 streams",
            "database connections used (right)",
        ] {
            assert!(svg.contains(part), "no {part}");
        }
        let lines = svg.matches("<polyline").count();
        assert!(lines >= 10, "{lines} lines");
        // Without samples there is an empty graph.
        draw(&file, &[]).unwrap();
    }
}
