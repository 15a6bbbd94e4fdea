//! The inputs that fuzzing has found, and those that it began with, as ordinary tests.

#[path = "fuzz/harness.rs"]
mod harness;

use std::path::Path;

#[test]
fn what_fuzzing_found_is_no_fault_any_more() {
    let inputs = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/inputs");
    for (name, target) in harness::TARGETS {
        let folder = std::fs::read_dir(inputs.join(name)).expect("a folder per target");
        let mut files = 0;
        for file in folder {
            let path = file.expect("an entry").path();
            target(&std::fs::read(&path).expect("a file"));
            files += 1;
        }
        assert!(files > 0, "{name} has inputs to begin with");
    }
}
