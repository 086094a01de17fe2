//! How long `motet check` takes, start-up included.
//!
//! `cargo bench --bench check [-- FILE…]` runs the real executable many times on each file and prints
//! the fastest and the median wall time, beside those of `motet --version`, which is start-up alone.
//! Without files it takes the examples of the project and one large generated model.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

const RUNS: usize = 200;

fn main() {
    let mut files: Vec<PathBuf> =
        std::env::args().skip(1).filter(|word| !word.starts_with("--")).map(PathBuf::from).collect();
    let generated = std::env::temp_dir().join(format!("motet-bench-{}.cub", std::process::id()));
    if files.is_empty() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        files.extend(["german.cub", "tenderbake.cub"].map(|name| root.join("examples").join(name)));
        fs::write(&generated, large_model()).expect("the temporary folder can be written");
        files.push(generated.clone());
    }
    println!("{:>10} {:>10} {:>8}  file ({RUNS} runs each)", "fastest", "median", "lines");
    row("motet --version", 0, &["--version"]);
    for file in &files {
        let name = file.to_string_lossy().into_owned();
        let lines = fs::read_to_string(file).map_or(0, |text| text.lines().count());
        row(&name, lines, &["check", "--quiet", &name]);
    }
    let _ = fs::remove_file(&generated);
}

fn row(name: &str, lines: usize, arguments: &[&str]) {
    let mut times: Vec<Duration> = (0..RUNS).map(|_| time(arguments)).collect();
    times.sort_unstable();
    let milliseconds = |time: Duration| format!("{:.2} ms", time.as_secs_f64() * 1000.0);
    println!("{:>10} {:>10} {lines:>8}  {name}", milliseconds(times[0]), milliseconds(times[RUNS / 2]));
}

fn time(arguments: &[&str]) -> Duration {
    let mut command = Command::new(env!("CARGO_BIN_EXE_motet"));
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    let started = Instant::now();
    command.status().expect("motet runs");
    started.elapsed()
}

/// About two thousand lines: a ring of stations that pass messages, each with its own transitions.
fn large_model() -> String {
    let stations = 150;
    let mut text = String::from("type message = Nothing | Request | Grant | Release\n");
    for k in 0..stations {
        text += &format!("array Box{k}[proc] : message\nvar Busy{k} : bool\n");
    }
    let start: Vec<String> =
        (0..stations).map(|k| format!("Box{k}[i] = Nothing && Busy{k} = False")).collect();
    text += &format!(
        "init (i) {{ {} }}\nunsafe (i j) {{ Box0[i] = Grant && Box0[j] = Grant }}\n",
        start.join(" && ")
    );
    for k in 0..stations {
        let next = (k + 1) % stations;
        text += &format!(
            "transition ask{k} (i)\nrequires {{ Box{k}[i] = Nothing && Busy{next} = False }}\n\
             {{ Box{k}[i] := Request; Busy{next} := True }}\n\
             transition grant{k} (i j)\nrequires {{ Box{k}[i] = Request && forall_other h. Box{k}[h] <> Grant }}\n\
             {{\n  Box{k}[h] := case\n    | h = i : Grant\n    | h = j : Release\n    | _ : Box{k}[h];\n  Busy{next} := False\n}}\n"
        );
    }
    text
}
