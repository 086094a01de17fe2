//! A small writer of SVG: shapes with classes, texts that are escaped, colours for light and dark.

use std::fmt::Write;

/// The size of letters, in pixels.
pub(crate) const LETTER: f64 = 12.0;
/// The distance between lines of text.
pub(crate) const LINE: f64 = 17.0;
/// Letters all have one width, so that texts can be measured without a font.
const ADVANCE: f64 = 0.605;

/// Colours for a light background first, then for a dark one. No CSS variables: many viewers do not support them.
const STYLE: &str = "\
text{font:12px ui-monospace,SFMono-Regular,Menlo,'DejaVu Sans Mono',Consolas,monospace;fill:#1f2328}
.paper{fill:#fff}.strong{font-weight:bold}.dim{fill:#656d76}.middle{text-anchor:middle}.end{text-anchor:end}
.lane{stroke:#d0d7de;stroke-width:2}.rule{stroke:#eaeef2}
.waits{stroke:#d4a72c;stroke-width:7}.sleeps{stroke:#a475f9;stroke-width:7;stroke-dasharray:2 5}
.plain{fill:#f6f8fa;stroke:#8c959f}.event{fill:#ddf4ff;stroke:#0969da;stroke-width:1.3}
.effect{fill:#fff8dc;stroke:#bf8700;stroke-dasharray:4 3}
.start{fill:#dafbe1;stroke:#1a7f37;stroke-width:1.6}.stuck{fill:#fff1c9;stroke:#9a6700;stroke-width:1.6}
.bad{fill:#ffebe9;stroke:#cf222e;stroke-width:1.6}.alarm{fill:#a40e26}
.edge{fill:none;stroke:#8c959f;stroke-width:1.2}.arrow{fill:none;stroke:#bf8700;stroke-width:1.4}
.badedge{fill:none;stroke:#cf222e;stroke-width:1.4}.dashededge{fill:none;stroke:#8c959f;stroke-dasharray:5 4}
.faded{fill:#fff;stroke:#d0d7de;stroke-dasharray:4 3}.tip{fill:#8c959f}.warmtip{fill:#bf8700}.badtip{fill:#cf222e}
@media(prefers-color-scheme:dark){text{fill:#e6edf3}
.paper{fill:#0d1117}.dim{fill:#8d96a0}.lane{stroke:#30363d}.rule{stroke:#1c2129}
.waits{stroke:#9e7a1c}.sleeps{stroke:#8957e5}
.plain{fill:#161b22;stroke:#6e7681}.event{fill:#0c2d4d;stroke:#58a6ff}.effect{fill:#272115;stroke:#d29922}
.start{fill:#0f2d1a;stroke:#3fb950}.stuck{fill:#332503;stroke:#d29922}.bad{fill:#3c1015;stroke:#f85149}
.alarm{fill:#ffa198}.edge{stroke:#6e7681}.arrow{stroke:#d29922}.badedge{stroke:#f85149}
.dashededge{stroke:#6e7681}.faded{fill:#0d1117;stroke:#30363d}.tip{fill:#6e7681}.warmtip{fill:#d29922}.badtip{fill:#f85149}}";

/// The width of a text, with some room for fonts that are wider.
pub(crate) fn width(text: &str) -> f64 {
    count(text.chars().count()) * LETTER * ADVANCE
}

/// A count as a length.
pub(crate) fn count(number: usize) -> f64 {
    f64::from(u32::try_from(number).unwrap_or(u32::MAX))
}

/// Text for SVG. What XML cannot hold becomes a replacement character.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(' '),
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            letter if letter < ' ' => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// A drawing to which shapes are added.
#[derive(Debug, Default)]
pub(crate) struct Drawing {
    body: String,
}

impl Drawing {
    pub(crate) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let ((x1, y1), (x2, y2)) = (from, to);
        self.put(format_args!(
            r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#
        ));
    }

    /// A rectangle with round corners.
    pub(crate) fn rect(&mut self, class: &str, corner: (f64, f64), size: (f64, f64)) {
        let ((x, y), (width, height)) = (corner, size);
        self.put(format_args!(
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="5"/>"#
        ));
    }

    /// A line of text on its baseline.
    pub(crate) fn text(&mut self, class: &str, at: (f64, f64), text: &str) {
        let class = if class.is_empty() { String::new() } else { format!(r#" class="{class}""#) };
        self.put(format_args!(r#"<text{class} x="{:.1}" y="{:.1}">{}</text>"#, at.0, at.1, escape(text)));
    }

    pub(crate) fn path(&mut self, class: &str, path: &str, tip: Option<&str>) {
        let tip = tip.map_or(String::new(), |tip| format!(r#" marker-end="url(#{tip})""#));
        self.put(format_args!(r#"<path class="{class}" d="{path}"{tip}/>"#));
    }

    /// Opens a group whose title shows when a pointer rests on it.
    pub(crate) fn open(&mut self, title: &str) {
        self.put(format_args!("<g><title>{}</title>", escape(title)));
    }

    pub(crate) fn close(&mut self) {
        self.put(format_args!("</g>"));
    }

    /// Adds a tip for arrows of this drawing.
    pub(crate) fn tip(&mut self, name: &str, open: bool) {
        self.put(format_args!(
            "<defs>\n{}</defs>",
            marker(name, if open { "M1,0.5L7,4L1,7.5" } else { CLOSED })
        ));
    }

    /// Adds style rules for this drawing.
    pub(crate) fn style(&mut self, rules: &str) {
        self.put(format_args!("<style>\n{rules}</style>"));
    }

    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        writeln!(self.body, "{element}").expect("memory takes everything");
    }

    /// The whole file.
    pub(crate) fn finish(self, title: &str, size: (f64, f64)) -> String {
        let (width, height) = (size.0.ceil(), size.1.ceil());
        let title = escape(title);
        let tips: String = ["tip", "warmtip", "badtip"].map(|name| marker(name, CLOSED)).concat();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\">\n<title>{title}</title>\n<style>\n{STYLE}\n</style>\n\
             <defs>\n{tips}</defs>\n<rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{}</svg>\n",
            self.body
        )
    }
}

/// The shape of most tips.
const CLOSED: &str = "M0,0.5L8,4L0,7.5z";

/// The tip of an arrow.
fn marker(name: &str, shape: &str) -> String {
    format!(
        "<marker id=\"{name}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path class=\"{name}\" d=\"{shape}\"/></marker>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_xml_reserves_or_forbids_does_not_come_through() {
        assert_eq!(escape("a<b && \"c\"\n\u{1}"), "a&lt;b &amp;&amp; &quot;c&quot; \u{fffd}");
    }
}
