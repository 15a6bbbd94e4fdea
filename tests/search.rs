//! The searches against brute force.
