//! Parts of alpha-beta that only two-move chess has so far, by its capabilities [`SleepSets`](crate::eval::SleepSets) and
//! [`MateSearch::ROOT_MATE_CHECK`](crate::eval::MateSearch::ROOT_MATE_CHECK): its turns have two steps.

mod root_mate_check;
mod sleep_sets;
