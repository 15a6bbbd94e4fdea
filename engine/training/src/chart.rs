//! Line charts as SVG.

use crate::schedule::Losses;
use anyhow::{Result, anyhow};
use plotters::prelude::*;
use std::ops::Range;
use std::path::Path;

/// A named line through points.
pub struct Curve<'a> {
    /// Label of the curve.
    pub name: &'a str,
    /// Points, from left to right.
    pub points: &'a [(f64, f64)],
}

/// A chart of several curves.
pub struct Chart<'a> {
    /// Title above the chart.
    pub title: &'a str,
    /// Labels of the axes, horizontal first.
    pub axes: [&'a str; 2],
    /// The curves.
    pub curves: &'a [Curve<'a>],
    /// Whether the curves rise; places the legend in the corner that they leave free.
    pub rises: bool,
}

impl Chart<'_> {
    /// Writes the chart to a file; the axes span all points.
    pub fn write(&self, path: &Path) -> Result<()> {
        // The backend's errors borrow from it, so only their text is kept.
        self.draw(path)
            .map_err(|error| anyhow!("cannot write {}: {error}", path.display()))
    }

    fn draw(&self, path: &Path) -> Result<(), Box<dyn std::error::Error + '_>> {
        let path = path.to_path_buf();
        let mut svg = String::new();
        {
            let area = SVGBackend::with_string(&mut svg, (800, 500)).into_drawing_area();
            area.fill(&WHITE)?;
            let mut chart = ChartBuilder::on(&area)
                .caption(self.title, ("sans-serif", 20))
                .margin(12)
                .x_label_area_size(40)
                .y_label_area_size(70)
                .build_cartesian_2d(self.span(|point| point.0), self.span(|point| point.1))?;
            chart
                .configure_mesh()
                .x_desc(self.axes[0])
                .y_desc(self.axes[1])
                .draw()?;
            for (i, curve) in self.curves.iter().enumerate() {
                let color = Palette99::pick(i).to_rgba();
                let style = color.stroke_width(2);
                let line = LineSeries::new(curve.points.iter().copied(), style).point_size(2);
                chart
                    .draw_series(line)?
                    .label(curve.name)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
            }
            chart
                .configure_series_labels()
                .position(if self.rises {
                    SeriesLabelPosition::UpperLeft
                } else {
                    SeriesLabelPosition::UpperRight
                })
                .background_style(WHITE.mix(0.8))
                .border_style(BLACK)
                .draw()?;
            area.present()?;
        }
        std::fs::write(path, svg)?;
        Ok(())
    }

    /// The range of a coordinate over all points; never empty.
    fn span(&self, coordinate: impl Fn(&(f64, f64)) -> f64) -> Range<f64> {
        let all = self
            .curves
            .iter()
            .flat_map(|curve| curve.points.iter().map(&coordinate))
            .filter(|value| value.is_finite());
        let (least, most) = all.fold(
            (f64::INFINITY, f64::NEG_INFINITY),
            |(least, most), value| (least.min(value), most.max(value)),
        );
        if least < most {
            let margin = (most - least) * 0.03;
            least - margin..most + margin
        } else if least.is_finite() {
            least - 0.5..least + 0.5
        } else {
            0.0..1.0
        }
    }
}

/// Draws the losses of a training as SVG, by default beside the network.
///
/// # Errors
/// If the file cannot be written.
pub fn draw_losses(network: &Path, curve: Option<&Path>, losses: &[Losses]) -> Result<()> {
    let path = curve.map_or_else(|| network.with_extension("svg"), Path::to_path_buf);
    let points = |loss: fn(&Losses) -> f64| -> Vec<(f64, f64)> {
        (1..).map(f64::from).zip(losses.iter().map(loss)).collect()
    };
    let curves = [
        Curve {
            name: "training",
            points: &points(|loss| loss.training),
        },
        Curve {
            name: "held out",
            points: &points(|loss| loss.held_out),
        },
    ];
    let chart = Chart {
        title: "Loss",
        axes: ["epoch", "mean loss"],
        curves: &curves,
        rises: false,
    };
    chart.write(&path)
}
