//! Transcripts of the line protocol.
