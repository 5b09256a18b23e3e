//! A figure's SVG in fewer and shorter elements: neighbours of one look become one path.

use roxmltree::Node;
use serde::Serialize;
use std::fmt::Write as _;

/// A figure's picture.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Picture {
    pub(super) width: String,
    pub(super) height: String,
    pub(super) view_box: String,
    pub(super) shapes: Vec<Shape>,
}

/// A part of a picture; colours are those of the light scheme.
#[derive(Debug, PartialEq, Serialize)]
#[serde(tag = "sort", rename_all = "lowercase")]
pub(super) enum Shape {
    Path(Path),
    Text(Text),
}

/// Lines, or areas.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(super) struct Path {
    d: String,
    fill: Option<String>,
    stroke: Option<String>,
    stroke_width: Option<String>,
    /// `None` where nothing shines through.
    opacity: Option<String>,
}

/// A line of text.
#[derive(Debug, PartialEq, Serialize)]
pub(super) struct Text {
    x: String,
    y: String,
    dy: Option<String>,
    anchor: Option<String>,
    size: Option<String>,
    weight: Option<String>,
    transform: Option<String>,
    fill: Option<String>,
    content: String,
}

/// Reads what the drawing library writes.
///
/// # Errors
/// What it is that this reader does not know.
pub(super) fn picture(svg: &str) -> Result<Picture, String> {
    let document = roxmltree::Document::parse(svg).map_err(|error| error.to_string())?;
    let root = document.root_element();
    let mut shapes: Vec<Shape> = Vec::new();
    for node in root.children().filter(Node::is_element) {
        let shape = shape(node)?;
        match (shapes.last_mut(), shape) {
            (Some(Shape::Path(last)), Shape::Path(next)) if last.takes(&next) => {
                last.d += &next.d;
            }
            (_, shape) => shapes.push(shape),
        }
    }
    Ok(Picture {
        width: wanted(root, "width")?,
        height: wanted(root, "height")?,
        view_box: wanted(root, "viewBox")?,
        shapes,
    })
}

impl Path {
    /// Whether `next` looks the same, so that both can be drawn at once: what shines through adds up where it overlaps.
    fn takes(&self, next: &Self) -> bool {
        let look = |path: &Self| {
            let Self {
                fill,
                stroke,
                stroke_width,
                ..
            } = path;
            (fill.clone(), stroke.clone(), stroke_width.clone())
        };
        self.opacity.is_none() && next.opacity.is_none() && look(self) == look(next)
    }
}

fn shape(node: Node<'_, '_>) -> Result<Shape, String> {
    let name = node.tag_name().name();
    let d = match name {
        "text" => return text(node).map(Shape::Text),
        "polyline" => path(&points(&wanted(node, "points")?)?, false),
        "polygon" => path(&points(&wanted(node, "points")?)?, true),
        "line" => {
            let [x1, y1, x2, y2] = numbers(node, ["x1", "y1", "x2", "y2"])?;
            path(&[[x1, y1], [x2, y2]], false)
        }
        "rect" => {
            let [x, y, width, height] = numbers(node, ["x", "y", "width", "height"])?;
            let (right, bottom) = (x + width, y + height);
            path(&[[x, y], [right, y], [right, bottom], [x, bottom]], true)
        }
        "circle" => {
            let [x, y, r] = numbers(node, ["cx", "cy", "r"])?;
            format!(
                "M{} {y}a{r} {r} 0 1 0 {} 0a{r} {r} 0 1 0 {} 0z",
                x - r,
                2 * r,
                -2 * r
            )
        }
        other => return Err(format!("its element `{other}` is unknown")),
    };
    Ok(Shape::Path(Path {
        d,
        fill: painted(node, "fill"),
        stroke: painted(node, "stroke"),
        stroke_width: painted(node, "stroke").and_then(|_| given(node, "stroke-width")),
        opacity: given(node, "opacity").filter(|opacity| opacity != "1"),
    }))
}

fn text(node: Node<'_, '_>) -> Result<Text, String> {
    let anchor = given(node, "text-anchor").filter(|anchor| anchor != "start");
    Ok(Text {
        x: wanted(node, "x")?,
        y: wanted(node, "y")?,
        dy: given(node, "dy"),
        anchor,
        size: given(node, "font-size"),
        weight: given(node, "font-weight"),
        transform: given(node, "transform"),
        fill: painted(node, "fill"),
        content: node.text().unwrap_or_default().trim().to_owned(),
    })
}

/// A path through `points`: the first absolute, the others relative to the one before.
fn path(points: &[[i64; 2]], closed: bool) -> String {
    let mut d = String::new();
    let mut last: Option<[i64; 2]> = None;
    for &[x, y] in points {
        // Writing to a string does not fail.
        let _ = match last {
            None => write!(d, "M{x} {y}"),
            Some([left, top]) if top == y => write!(d, "h{}", x - left),
            Some([left, top]) if left == x => write!(d, "v{}", y - top),
            Some([left, top]) => write!(d, "l{} {}", x - left, y - top),
        };
        last = Some([x, y]);
    }
    if closed { d + "z" } else { d }
}

fn points(text: &str) -> Result<Vec<[i64; 2]>, String> {
    let point = |pair: &str| {
        let (x, y) = pair.split_once(',')?;
        Some([x.parse().ok()?, y.parse().ok()?])
    };
    let pairs = text.split_whitespace();
    pairs
        .map(|pair| point(pair).ok_or_else(|| format!("`{pair}` is no point in whole units")))
        .collect()
}

fn numbers<const N: usize>(node: Node<'_, '_>, names: [&str; N]) -> Result<[i64; N], String> {
    let mut values = [0; N];
    for (value, name) in values.iter_mut().zip(names) {
        let text = wanted(node, name)?;
        *value = text
            .parse()
            .map_err(|_| format!("`{name}` = `{text}` is no whole number"))?;
    }
    Ok(values)
}

fn given(node: Node<'_, '_>, name: &str) -> Option<String> {
    node.attribute(name).map(str::to_owned)
}

fn painted(node: Node<'_, '_>, name: &str) -> Option<String> {
    given(node, name).filter(|colour| colour != "none")
}

fn wanted(node: Node<'_, '_>, name: &str) -> Result<String, String> {
    given(node, name).ok_or_else(|| format!("`{}` lacks `{name}`", node.tag_name().name()))
}

#[cfg(test)]
mod tests {
    use super::{Shape, picture};

    fn ds(body: &str) -> Vec<String> {
        let svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"9\" height=\"9\" viewBox=\"0 0 90 90\">{body}</svg>"
        );
        let shapes = picture(&svg).unwrap().shapes.into_iter();
        shapes
            .filter_map(|shape| match shape {
                Shape::Path(path) => Some(path.d),
                Shape::Text(_) => None,
            })
            .collect()
    }

    #[test]
    fn dashes_become_one_path_and_what_shines_through_stays_apart() {
        let dash = |x: u32| {
            format!(
                "<polyline fill=\"none\" opacity=\"1\" stroke=\"#000\" points=\"{x},2 {},5\"/>",
                x + 3
            )
        };
        assert_eq!(ds(&(dash(1) + &dash(8))), ["M1 2l3 3M8 2l3 3"]);
        let veil = "<polygon opacity=\"0.13\" fill=\"#000\" points=\"1,1 5,1 5,4\"/>";
        assert_eq!(ds(&veil.repeat(2)), ["M1 1h4v3z", "M1 1h4v3z"]);
        // A colour that is not the same.
        let other = dash(8).replace("#000", "#111");
        assert_eq!(ds(&(dash(1) + &other)).len(), 2);
    }

    #[test]
    fn what_is_unknown_is_an_error() {
        let svg = "<svg width=\"9\" height=\"9\" viewBox=\"0 0 9 9\"><image/></svg>";
        assert_eq!(
            picture(svg),
            Err("its element `image` is unknown".to_owned())
        );
        let half =
            "<svg width=\"9\" height=\"9\" viewBox=\"0 0 9 9\"><polygon points=\"1.5,2\"/></svg>";
        assert!(
            picture(half)
                .unwrap_err()
                .contains("no point in whole units")
        );
    }
}
