//! Gives the module of WebAssembly the stack that a search needs.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").as_deref() == Ok("wasm") {
        // As much as the program gives to a thread that helps in a search.
        println!("cargo::rustc-cdylib-link-arg=-zstack-size=4194304");
    }
}
