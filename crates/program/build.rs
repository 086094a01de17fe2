//! Builds the runtime that the command carries: a shared library for programs under test.
//!
//! The compiler is called directly, since neither crate has a dependency: a second cargo inside of this one would need
//! a lock and a target folder of its own. `docs/decisions/0011-runtime-inside-the-command.md` says why it is embedded.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

fn main() {
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let library = out.join("libmotet_rt.so");
    println!("cargo:rerun-if-changed=build.rs");
    for sources in ["../explore/src", "../rt/src"] {
        println!("cargo:rerun-if-changed={sources}");
    }
    if is_supported() {
        build(&out, &library);
    } else {
        fs::write(&library, []).expect("the output folder is writable");
    }
    let hash = hash(&fs::read(&library).expect("it was just written"));
    println!("cargo:rustc-env=MOTET_RUNTIME_HASH={hash:016x}");
}

/// The runtime has its context switch in assembly, and knows the system calls and the libc of one platform.
fn is_supported() -> bool {
    let is = |key: &str, value: &str| env::var(key).is_ok_and(|found| found == value);
    is("CARGO_CFG_TARGET_ARCH", "x86_64")
        && is("CARGO_CFG_TARGET_OS", "linux")
        && is("CARGO_CFG_TARGET_ENV", "gnu")
}

fn build(out: &Path, library: &Path) {
    let explore = out.join("libexplore.rlib");
    compile("explore", "rlib", "../explore/src/lib.rs", &explore, &[]);
    let depends = format!("explore={}", explore.display());
    let link = ["-C", "link-arg=-Wl,-z,now,-soname,libmotet_rt.so", "-C", "strip=symbols"];
    let more = [&["--cfg", "motet_interpose", "--extern", &depends][..], &link].concat();
    compile("motet_rt", "cdylib", "../rt/src/lib.rs", library, &more);
}

fn compile(name: &str, kind: &str, source: &str, to: &Path, more: &[&str]) {
    let mut command = Command::new(env::var_os("RUSTC").expect("cargo sets it"));
    command.args(["--edition", "2024", "-O", "-C", "panic=abort", "--cap-lints", "allow"]);
    command.args(["--crate-name", name, "--crate-type", kind, source]).args(more).arg("-o").arg(to);
    command.arg("--target").arg(env::var_os("TARGET").expect("cargo sets it"));
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        command
            .arg("-C")
            .arg([std::ffi::OsStr::new("linker="), &linker].into_iter().collect::<std::ffi::OsString>());
    }
    let status = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

/// FNV-1a, 64 bits: tells versions apart.
fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
