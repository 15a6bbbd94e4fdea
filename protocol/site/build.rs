//! Gives the module of WebAssembly the stack that its searches need.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").as_deref() == Ok("wasm") {
        // An analysis, an assessment, a turn and hints can interrupt each other, all on one stack: as much for each as the program gives to a
        // thread that helps in a search.
        println!("cargo::rustc-cdylib-link-arg=-zstack-size=16777216");
    }
}
