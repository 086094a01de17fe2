//! A trace as a space-time diagram: a lane for each process and one for what is shared, time running down.
//!
//! Each step is a box in the lane of the process that acts, with what it changed of its own. What it changed elsewhere stands
//! in a box of its own in that lane, with an arrow. A trace does not record what a step has read, so there are no arrows for that.
//! Beside all lanes an arrow leads back from the last step to where the part of the run begins that is repeated for ever.
//! An arrow beside the lane leads from a buffered store to the step in which it reaches memory, or to the end of the run.

use crate::{
    buffers::{Journey, change, journeys},
    lanes::without_stores,
    svg::{Drawing, LETTER, LINE, count, width},
    waiting::{Wait, wait},
};
use explore::{Trace, Valuation};

/// What is written around a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caption {
    /// What the trace is of, above the diagram.
    pub title: String,
    /// The violation that the trace ends with, below the diagram.
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
/// The distance between a lane and the first track for stores.
const TRACK_GAP: f64 = 16.0;
/// The distance between a track and what is written beside it.
const TRACK_PAD: f64 = 6.0;
/// Stores leave a box this far above its lower edge, and arrive this far below its upper edge, beside other arrows.
const STORE_AT: f64 = 7.0;
/// The radius of the bends of an arrow.
const BEND: f64 = 5.0;
/// The colours of stores on their way to memory, for a light background and for a dark one.
const STORE_STYLE: &str = "\
.store{fill:none;stroke:#1b7c83;stroke-width:1.3}.open{stroke-dasharray:4 3}.stored,.storetip{fill:#1b7c83}
.opentip{fill:none;stroke:#1b7c83;stroke-width:1.3}.flush{fill:#fff;stroke:#afb8c1}
@media(prefers-color-scheme:dark){.store,.opentip{stroke:#39c5cf}.stored,.storetip{fill:#39c5cf}
.flush{fill:#0d1117;stroke:#484f58}}
";

/// The colours of the way back, for a light background and for a dark one.
const CYCLE_STYLE: &str = "\
.cycle{fill:none;stroke:#8250df;stroke-width:1.6}.cycletip{fill:#8250df}
@media(prefers-color-scheme:dark){.cycle{stroke:#a371f7}.cycletip{fill:#a371f7}}
";

/// The diagram as SVG.
pub fn diagram(trace: &Trace, processes: usize, caption: &Caption) -> String {
    let (rows, journeys) = (rows(trace, processes), journeys(trace, processes));
    let lanes = lanes(&rows, &journeys, trace, processes, caption);
    let mut plan = Plan { rows, lanes, journeys, drawing: Drawing::default() };
    let below = plan.place(MARGIN + LINE + 12.0 + LINE + 10.0);
    plan.header(&caption.title);
    plan.lane_lines(trace, below);
    plan.stores(below);
    plan.rows();
    plan.way_back(trace);
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
    /// A store of the lane's process reaches memory, which is no step of the user.
    Flush,
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

    fn in_lane(&self, lane: usize) -> Option<&Box> {
        self.boxes.iter().find(|one| one.lane == lane)
    }

    /// The height of the box in a lane.
    fn box_height(&self, lane: usize) -> f64 {
        self.in_lane(lane).map_or(0.0, Box::height)
    }

    /// The right edge of the box in a lane, or its centre if there is none.
    fn right_edge(&self, lane: &Lane) -> f64 {
        lane.centre() + self.in_lane(lane.of).map_or(0.0, Box::width) / 2.0
    }
}

/// A lane that is shown.
struct Lane {
    /// 0 for what is shared, else the process.
    of: usize,
    name: String,
    left: f64,
    width: f64,
    /// The widths of the tracks for stores, to the right of it.
    tracks: Vec<f64>,
}

impl Lane {
    fn centre(&self) -> f64 {
        self.left + self.width / 2.0
    }

    /// Where a track runs.
    fn track(&self, track: usize) -> f64 {
        self.left + self.width + TRACK_GAP + self.tracks[..track].iter().sum::<f64>()
    }

    /// Where it ends, with its tracks.
    fn right(&self) -> f64 {
        if self.tracks.is_empty() { self.left + self.width } else { self.track(self.tracks.len()) }
    }
}

fn rows(trace: &Trace, processes: usize) -> Vec<Row> {
    let full = |role: Role, lanes: Vec<Vec<String>>| {
        let boxes = lanes.into_iter().enumerate().filter(|(_, lines)| !lines.is_empty());
        boxes.map(move |(lane, lines)| Box { lane, role, lines })
    };
    let start = full(Role::Start, without_stores(&trace.start, None, processes)).collect();
    let mut rows = vec![Row { number: String::new(), boxes: start, top: 0.0 }];
    let mut before = &trace.start;
    for (number, step) in (1..).zip(&trace.steps) {
        let mut changes = without_stores(&step.state, Some(before), processes);
        let flushes = |process| !change(&step.state, Some(before), process).taken.is_empty();
        let role = if step.process.is_some_and(flushes) { Role::Flush } else { Role::Event };
        let acting = step.process.map_or(0, |process| process + 1).min(processes);
        let mut lines = vec![step.label.to_string()];
        lines.append(&mut changes[acting]);
        let mut boxes = vec![Box { lane: acting, role, lines }];
        boxes.extend(full(Role::Effect, changes));
        rows.push(Row { number: number.to_string(), boxes, top: 0.0 });
        before = &step.state;
    }
    rows
}

/// The lanes that have something to show: what is shared if there is anything, and every process.
fn lanes(
    rows: &[Row],
    journeys: &[Journey],
    trace: &Trace,
    processes: usize,
    caption: &Caption,
) -> Vec<Lane> {
    let mut left = MARGIN + width(&trace.steps.len().to_string()) + 14.0;
    let mut lanes = Vec::new();
    for of in 0..=processes {
        let boxes = || rows.iter().flat_map(|row| &row.boxes).filter(|one| one.lane == of);
        if of == 0 && boxes().next().is_none() {
            continue;
        }
        let name = if of == 0 { "shared".to_owned() } else { trace.actor(of - 1) };
        let width = boxes().map(Box::width).fold(NARROWEST_LANE.max(width(&name)), f64::max);
        let lane = Lane { of, name, left, width, tracks: tracks(journeys, of) };
        left = lane.right() + LANE_GAP;
        lanes.push(lane);
    }
    // The title must have room; the last lane takes the remaining width.
    let missing = MARGIN + width(&caption.title) - (left - LANE_GAP);
    if let Some(last) = lanes.last_mut().filter(|_| missing > 0.0) {
        last.width += missing;
    }
    lanes
}

/// The widths of the tracks beside a lane: each has room for what is written beside its arrows.
fn tracks(journeys: &[Journey], lane: usize) -> Vec<f64> {
    let mut tracks = Vec::new();
    for journey in journeys.iter().filter(|journey| journey.process + 1 == lane) {
        if journey.track >= tracks.len() {
            tracks.resize(journey.track + 1, 0.0);
        }
        let room = width(&journey.text) + 2.0 * TRACK_PAD;
        tracks[journey.track] = f64::max(tracks[journey.track], room);
    }
    tracks
}

struct Plan {
    rows: Vec<Row>,
    lanes: Vec<Lane>,
    journeys: Vec<Journey>,
    drawing: Drawing,
}

impl Plan {
    fn lane(&self, of: usize) -> &Lane {
        self.lanes.iter().find(|lane| lane.of == of).expect("lanes with boxes are shown")
    }

    fn right(&self) -> f64 {
        self.lanes.last().map_or(MARGIN, Lane::right)
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

    /// An arrow for each buffered store, beside the lane of its process.
    fn stores(&mut self, end: f64) {
        if self.journeys.is_empty() {
            return;
        }
        self.drawing.style(STORE_STYLE);
        self.drawing.tip("storetip", false);
        self.drawing.tip("opentip", true);
        for journey in std::mem::take(&mut self.journeys) {
            self.store(&journey, end);
        }
    }

    fn store(&mut self, journey: &Journey, end: f64) {
        let (lane, row) = (self.lane(journey.process + 1), &self.rows[journey.from]);
        let (x, left) = (lane.track(journey.track), row.right_edge(lane));
        let top = row.top + row.box_height(lane.of) - STORE_AT;
        let begin = format!("M{left:.1},{top:.1}H{:.1}Q{x:.1},{top:.1} {x:.1},{:.1}", x - BEND, top + BEND);
        if let Some(flush) = journey.to.map(|to| &self.rows[to]) {
            let (right, bottom) = (flush.right_edge(lane), flush.top + STORE_AT);
            let turn = format!("V{:.1}Q{x:.1},{bottom:.1} {:.1},{bottom:.1}", bottom - BEND, x - BEND);
            self.drawing.path("store", &format!("{begin}{turn}H{right:.1}"), Some("storetip"));
        } else {
            self.drawing.path("store open", &format!("{begin}V{end:.1}"), Some("opentip"));
        }
        self.drawing.text("stored", (x + TRACK_PAD, top + LETTER), &journey.text);
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
            Role::Flush => "flush",
            Role::Effect => "effect",
        };
        self.drawing.rect(class, (left, row.top), (one.width(), one.height()));
        for (at, line) in one.lines.iter().enumerate() {
            let class = match one.role {
                Role::Event if at == 0 => "strong",
                Role::Flush if at == 0 => "dim",
                _ => "",
            };
            let baseline = row.top + LETTER + 3.0 + count(at) * LINE;
            self.drawing.text(class, (left + PAD, baseline), line);
        }
    }

    /// An arrow from the last step to the first one that follows it again.
    fn way_back(&mut self, trace: &Trace) {
        let Some(back) = trace.back.filter(|back| *back < trace.steps.len()) else { return };
        self.drawing.style(CYCLE_STYLE);
        self.drawing.tip("cycletip", false);
        let (first, last) = (&self.rows[back + 1], &self.rows[trace.steps.len()]);
        let (top, bottom) = (first.top + LINE / 2.0, last.top + last.height());
        let (near, far) = (MARGIN - 3.0, MARGIN / 2.0 - 3.0);
        let down = format!(
            "M{near:.1},{bottom:.1}H{:.1}Q{far:.1},{bottom:.1} {far:.1},{:.1}",
            far + BEND,
            bottom - BEND
        );
        let up = format!("V{:.1}Q{far:.1},{top:.1} {:.1},{top:.1}H{near:.1}", top + BEND, far + BEND);
        self.drawing.path("cycle", &format!("{down}{up}"), Some("cycletip"));
    }

    /// An arrow from the step to what it changes elsewhere; it starts at the change before, if there is one on the way.
    fn arrow(&mut self, row: &Row, target: &Box) {
        let is_event = |one: &&Box| matches!(one.role, Role::Event | Role::Flush);
        let Some(event) = row.boxes.iter().find(is_event) else { return };
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
        let stores = self.lanes.iter().any(|lane| !lane.tracks.is_empty());
        let signs = [
            ("event", "a step", boxes().any(|one| one.role == Role::Event)),
            ("effect", "changed by that step", boxes().any(|one| one.role == Role::Effect)),
            ("flush", "a store reaches memory", boxes().any(|one| one.role == Role::Flush)),
            ("store", "a store on its way to memory", stores),
            ("cycle", "repeated for ever", trace.back.is_some_and(|back| back < trace.steps.len())),
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
                "store" | "cycle" => {
                    let path = format!("M{left:.1},{y:.1}H{:.1}", left + 20.0, y = top + 6.0);
                    let tip = if *class == "store" { "storetip" } else { "cycletip" };
                    self.drawing.path(class, &path, Some(tip));
                }
                "event" | "effect" | "flush" => self.drawing.rect(class, (left, top), (20.0, 12.0)),
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
