//! Colours, dashes and markers of methods: any two methods differ in more than colour.

use plotters::style::RGBColor;

/// Marker shapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    Inverted,
    Pentagon,
}

/// Look of one method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SeriesStyle {
    pub(super) colour: RGBColor,
    pub(super) marker: Marker,
    /// A dashed line: a method without robustness where there are robust ones, or else the second use of a hue.
    pub(super) dashed: bool,
    /// A filled marker.
    pub(super) filled: bool,
}

/// The look with the index `hue`, dashed with a hollow marker where `secondary`.
pub(crate) fn hue(hue: usize, secondary: bool) -> SeriesStyle {
    SeriesStyle {
        colour: COLOURS[hue % COLOURS.len()],
        marker: MARKERS[hue % MARKERS.len()],
        dashed: secondary,
        filled: !secondary,
    }
}

impl SeriesStyle {
    /// The same with filled markers.
    pub(crate) fn with_filled_markers(self) -> Self {
        Self {
            filled: true,
            ..self
        }
    }
}

/// Methods by their places on the axes: the nominal `X` and the robust `robust-X` together, in this order.
pub(super) type Family = Vec<usize>;

const ROBUST: &str = "robust-";

/// The palette of Okabe and Ito (Color Universal Design, 2008) without its yellow, which is lost on white.
pub(crate) const COLOURS: [RGBColor; 7] = [
    RGBColor(0x00, 0x72, 0xB2),
    RGBColor(0xD5, 0x5E, 0x00),
    RGBColor(0x00, 0x9E, 0x73),
    RGBColor(0x33, 0x33, 0x33),
    RGBColor(0xCC, 0x79, 0xA7),
    RGBColor(0xE6, 0x9F, 0x00),
    RGBColor(0x56, 0xB4, 0xE9),
];

const MARKERS: [Marker; 6] = [
    Marker::Circle,
    Marker::Square,
    Marker::Triangle,
    Marker::Diamond,
    Marker::Inverted,
    Marker::Pentagon,
];

/// Groups methods into families, in the order of their first members: a robust `robust-X` goes with a nominal `X`.
pub(super) fn families(methods: &[String], robust: &[bool]) -> Vec<Family> {
    let nominal = |index: usize| {
        let base = methods[index].strip_prefix(ROBUST)?;
        let place = methods.iter().position(|name| name == base)?;
        (robust[index] && !robust[place]).then_some(place)
    };
    let key = |index: usize| nominal(index).unwrap_or(index);
    let mut families: Vec<Family> = Vec::new();
    for index in 0..methods.len() {
        match families
            .iter_mut()
            .find(|family| key(family[0]) == key(index))
        {
            Some(family) => family.push(index),
            None => families.push(vec![index]),
        }
    }
    for family in &mut families {
        family.sort_by_key(|&index| robust[index]);
    }
    families
}

/// One style per method: a family shares hue and marker, robust methods have solid lines and filled markers.
pub(super) fn styles(methods: &[String], robust: &[bool]) -> Vec<SeriesStyle> {
    let any_robust = robust.contains(&true);
    let families = families(methods, robust);
    let family_of = |index| families.iter().position(|family| family.contains(&index));
    let style = |(index, &robust): (usize, &bool)| {
        let family = family_of(index).unwrap_or(index);
        let nominal = any_robust && !robust;
        let hue_again = !any_robust && family >= COLOURS.len();
        SeriesStyle {
            colour: COLOURS[family % COLOURS.len()],
            marker: MARKERS[family % MARKERS.len()],
            dashed: nominal || hue_again,
            filled: !nominal,
        }
    };
    robust.iter().enumerate().map(style).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_share_hue_and_marker_and_no_two_methods_look_alike() {
        let names = [
            "rff",
            "robust-linear",
            "linear",
            "robust-rff",
            "kernel-svm",
            "a",
            "b",
            "c",
            "d",
            "e",
        ];
        let methods = names.map(String::from);
        let robust = names.map(|name| name.starts_with("robust-"));
        assert_eq!(
            families(&methods, &robust)[..3],
            [vec![0, 3], vec![2, 1], vec![4]]
        );
        let styles = styles(&methods, &robust);
        assert_eq!(styles[0].colour, styles[3].colour);
        assert_eq!(styles[0].marker, styles[3].marker);
        assert!(styles[0].dashed && !styles[3].dashed);
        for (index, style) in styles.iter().enumerate() {
            assert!(!styles[..index].contains(style), "{}", methods[index]);
        }
    }

    /// What a method is called says nothing of how it is trained.
    #[test]
    fn lines_follow_what_is_trained_and_not_the_name() {
        let methods = ["robust-looking", "plain", "rff", "robust-rff"].map(String::from);
        let robust = [false, true, true, true];
        let looks = styles(&methods, &robust);
        assert_eq!(
            looks.iter().map(|s| s.dashed).collect::<Vec<_>>(),
            [true, false, false, false]
        );
        // Two robust methods are no pair: they would look alike.
        assert_eq!(families(&methods, &robust).len(), 4);
        assert_ne!(looks[2], looks[3]);
    }
}
