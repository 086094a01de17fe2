//! A trace as a space-time diagram: a lane for each process and one for what is shared, time running down.
//!
//! Each step is a box in the lane of the process that acts, with what it changed of its own. What it changed elsewhere stands
//! in a box of its own in that lane, with an arrow. A trace does not record what a step has read, so there are no arrows for that.

use crate::{
    lanes::entries,
    svg::{Drawing, LETTER, LINE, count, width},
    waiting::{Wait, wait},
};
use explore::{Trace, Valuation};

/// What is written around a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caption {
    /// The title.
    pub title: String,
    /// The violation at the end.
    pub ending: String,
}

/// The margin around text in boxes.
const PAD: f64 = 8.0;
/// The distance between rows.
const ROW_GAP: f64 = 14.0;
/// The distance between lanes.
const LANE_GAP: f64 = 30.0;
const NARROWEST_LANE: f64 = 96.0;
const MARGIN: f64 = 20.0;

/// The diagram as SVG.
pub fn diagram(trace: &Trace, processes: usize, caption: &Caption) -> String {
    let rows = rows(trace, processes);
    let lanes = lanes(&rows, trace, processes, caption);
    let mut plan = Plan { rows, lanes, drawing: Drawing::default() };
    let below = plan.place(MARGIN + LINE + 12.0 + LINE + 10.0);
    plan.header(&caption.title);
    plan.lane_lines(trace, below);
    plan.rows();
    let end = plan.ending(&caption.ending, below + 6.0);
    let end = plan.legend(trace, end + 14.0);
    let size = (plan.right() + MARGIN, end + MARGIN - 8.0);
    plan.drawing.finish(&caption.title, size)
}

/// What a box is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    /// The values at the start.
    Start,
    /// The step of the lane's process.
    Event,
    /// What a step of another process changes here.
    Effect,
}

struct Box {
    lane: usize,
    role: Role,
    /// The first line is the label of an event.
    lines: Vec<String>,
}

impl Box {
    fn height(&self) -> f64 {
        count(self.lines.len()) * LINE + PAD
    }

    fn width(&self) -> f64 {
        self.lines.iter().map(|line| width(line)).fold(0.0, f64::max) + 2.0 * PAD
    }
}

/// The boxes of a step, beside each other.
struct Row {
    number: String,
    boxes: Vec<Box>,
    /// Where it was placed.
    top: f64,
}

impl Row {
    fn height(&self) -> f64 {
        self.boxes.iter().map(Box::height).fold(LINE, f64::max)
    }
}

/// A lane that is shown.
struct Lane {
    /// 0 for what is shared, else the process.
    of: usize,
    name: String,
    left: f64,
    width: f64,
}

impl Lane {
    fn centre(&self) -> f64 {
        self.left + self.width / 2.0
    }
}

fn rows(trace: &Trace, processes: usize) -> Vec<Row> {
    let full = |role: Role, lanes: Vec<Vec<String>>| {
        let boxes = lanes.into_iter().enumerate().filter(|(_, lines)| !lines.is_empty());
        boxes.map(move |(lane, lines)| Box { lane, role, lines })
    };
    let start = full(Role::Start, entries(&trace.start, None, processes)).collect();
    let mut rows = vec![Row { number: String::new(), boxes: start, top: 0.0 }];
    let mut before = &trace.start;
    for (number, step) in (1..).zip(&trace.steps) {
        let mut changes = entries(&step.state, Some(before), processes);
        let acting = step.process.map_or(0, |process| process + 1).min(processes);
        let mut lines = vec![step.label.to_string()];
        lines.append(&mut changes[acting]);
        let mut boxes = vec![Box { lane: acting, role: Role::Event, lines }];
        boxes.extend(full(Role::Effect, changes));
        rows.push(Row { number: number.to_string(), boxes, top: 0.0 });
        before = &step.state;
    }
    rows
}

/// The lanes that have something to show: what is shared if there is anything, and every process.
fn lanes(rows: &[Row], trace: &Trace, processes: usize, caption: &Caption) -> Vec<Lane> {
    let mut left = MARGIN + width(&trace.steps.len().to_string()) + 14.0;
    let mut lanes = Vec::new();
    for of in 0..=processes {
        let boxes = || rows.iter().flat_map(|row| &row.boxes).filter(|one| one.lane == of);
        if of == 0 && boxes().next().is_none() {
            continue;
        }
        let name = if of == 0 { "shared".to_owned() } else { trace.actor(of - 1) };
        let width = boxes().map(Box::width).fold(NARROWEST_LANE.max(width(&name)), f64::max);
        lanes.push(Lane { of, name, left, width });
        left += width + LANE_GAP;
    }
    // The title must have room; the last lane takes the remaining width.
    let missing = MARGIN + width(&caption.title) - (left - LANE_GAP);
    if let Some(last) = lanes.last_mut().filter(|_| missing > 0.0) {
        last.width += missing;
    }
    lanes
}

struct Plan {
    rows: Vec<Row>,
    lanes: Vec<Lane>,
    drawing: Drawing,
}

impl Plan {
    fn lane(&self, of: usize) -> &Lane {
        self.lanes.iter().find(|lane| lane.of == of).expect("lanes with boxes are shown")
    }

    fn right(&self) -> f64 {
        self.lanes.last().map_or(MARGIN, |lane| lane.left + lane.width)
    }

    /// Places every row, and returns where the next one would be.
    fn place(&mut self, mut top: f64) -> f64 {
        for row in &mut self.rows {
            row.top = top;
            top += row.height() + ROW_GAP;
        }
        top
    }

    fn header(&mut self, title: &str) {
        self.drawing.text("strong", (MARGIN, MARGIN + LETTER), title);
        let baseline = MARGIN + LINE + 12.0 + LETTER;
        for lane in &self.lanes {
            self.drawing.text("strong middle", (lane.centre(), baseline), &lane.name);
        }
        let under = baseline + 8.0;
        self.drawing.line("lane", (MARGIN, under), (self.right(), under));
    }

    /// The lifeline of each process, and where it waits.
    fn lane_lines(&mut self, trace: &Trace, end: f64) {
        for lane in &self.lanes {
            let top = self.rows[0].top - 4.0;
            self.drawing.line("lane", (lane.centre(), top), (lane.centre(), end));
            for (class, from, to) in waiting_spans(trace, lane.of) {
                let bottom = to.map_or(end, |row| self.rows[row].top);
                let top = self.rows[from].top + LINE;
                self.drawing.line(class, (lane.centre(), top), (lane.centre(), bottom));
            }
        }
    }

    fn rows(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        for row in &rows {
            self.drawing.text("dim", (MARGIN, row.top + LETTER + 3.0), &row.number);
            row.boxes.iter().filter(|one| one.role == Role::Effect).for_each(|one| self.arrow(row, one));
            row.boxes.iter().for_each(|one| self.boxed(row, one));
        }
        self.rows = rows;
    }

    fn boxed(&mut self, row: &Row, one: &Box) {
        let centre = self.lane(one.lane).centre();
        let left = centre - one.width() / 2.0;
        let class = match one.role {
            Role::Start => "plain",
            Role::Event => "event",
            Role::Effect => "effect",
        };
        self.drawing.rect(class, (left, row.top), (one.width(), one.height()));
        for (at, line) in one.lines.iter().enumerate() {
            let class = if at == 0 && one.role == Role::Event { "strong" } else { "" };
            let baseline = row.top + LETTER + 3.0 + count(at) * LINE;
            self.drawing.text(class, (left + PAD, baseline), line);
        }
    }

    /// An arrow from the step to what it changes elsewhere; it starts at the change before, if there is one on the way.
    fn arrow(&mut self, row: &Row, target: &Box) {
        let Some(event) = row.boxes.iter().find(|one| one.role == Role::Event) else { return };
        let distance = |one: &Box| one.lane.abs_diff(target.lane);
        let on_the_way =
            |one: &&Box| (one.lane < target.lane) == (event.lane < target.lane) && distance(one) > 0;
        let from = row.boxes.iter().filter(on_the_way).min_by_key(|one| distance(one)).unwrap_or(event);
        let side = if from.lane < target.lane { 1.0 } else { -1.0 };
        let start = self.lane(from.lane).centre() + side * from.width() / 2.0;
        let end = self.lane(target.lane).centre() - side * target.width() / 2.0;
        // Halfway down a box of one line.
        let height = row.top + f64::midpoint(LINE, PAD);
        self.drawing.path("arrow", &format!("M{start:.1},{height:.1}H{end:.1}"), Some("warmtip"));
    }

    /// A bar across all lanes; returns where it ends.
    fn ending(&mut self, text: &str, top: f64) -> f64 {
        let (left, right) = (self.lanes.first().map_or(MARGIN, |lane| lane.left), self.right());
        let lines = wrapped(text, right - left - 2.0 * PAD);
        let height = count(lines.len()) * LINE + PAD;
        self.drawing.rect("bad", (left, top), (right - left, height));
        for (at, line) in lines.iter().enumerate() {
            let baseline = top + LETTER + 3.0 + count(at) * LINE;
            self.drawing.text("strong alarm", (left + PAD, baseline), line);
        }
        top + height
    }

    /// The legend of the signs that occur.
    fn legend(&mut self, trace: &Trace, top: f64) -> f64 {
        let boxes = || self.rows.iter().flat_map(|row| &row.boxes);
        let waits = |class: &str| {
            self.lanes.iter().any(|lane| waiting_spans(trace, lane.of).iter().any(|span| span.0 == class))
        };
        let signs = [
            ("event", "a step", boxes().any(|one| one.role == Role::Event)),
            ("effect", "changed by that step", boxes().any(|one| one.role == Role::Effect)),
            ("waits", "waits", waits("waits")),
            ("sleeps", "sleeps until notified", waits("sleeps")),
        ];
        if signs.iter().all(|(.., occurs)| !occurs) {
            return top - LINE;
        }
        let (mut left, mut top, right) = (MARGIN, top, self.right());
        for (class, text, _) in signs.iter().filter(|(.., occurs)| *occurs) {
            let room = 28.0 + width(text);
            if left > MARGIN && left + room > right {
                (left, top) = (MARGIN, top + LINE);
            }
            match *class {
                "event" | "effect" => self.drawing.rect(class, (left, top), (20.0, 12.0)),
                _ => self.drawing.line(class, (left, top + 6.0), (left + 20.0, top + 6.0)),
            }
            self.drawing.text("dim", (left + 28.0, top + LETTER - 2.0), text);
            left += room + 22.0;
        }
        top + LINE
    }
}

/// Where the process of a lane waits: how, from which row, and to which; to the end if there is none.
fn waiting_spans(trace: &Trace, lane: usize) -> Vec<(&'static str, usize, Option<usize>)> {
    let states: Vec<&Valuation> =
        std::iter::once(&trace.start).chain(trace.steps.iter().map(|step| &step.state)).collect();
    let mut spans: Vec<(&'static str, usize, Option<usize>)> = Vec::new();
    let mut now = None;
    for (row, state) in states.iter().enumerate() {
        // Moving up in a queue does not end the waiting.
        let next = lane
            .checked_sub(1)
            .and_then(|process| wait(state, process))
            .map(|wait| Wait { place: None, ..wait });
        if next != now {
            if let (Some(_), Some(last)) = (&now, spans.last_mut()) {
                last.2 = Some(row);
            }
            spans.extend(next.as_ref().map(|wait| (if wait.asleep { "sleeps" } else { "waits" }, row, None)));
            now = next;
        }
    }
    spans
}

/// A text in lines of a width, broken between words.
fn wrapped(text: &str, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + width(" ") + width(word) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
