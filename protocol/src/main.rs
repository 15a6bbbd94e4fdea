//! The program `fauve`.

fn main() {}
