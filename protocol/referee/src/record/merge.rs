//! Joining the records of shards.

use crate::record::lines::Record;

/// Why records cannot be joined.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MergeError {
    /// Nothing to join.
    #[error("no records to merge")]
    None,
    /// They are not of one tournament.
    #[error(
        "the records are of different tournaments: their first lines differ in more than the shard"
    )]
    Different,
    /// Two games have one number.
    #[error("game {0} is there twice, and differs")]
    Twice(u64),
}

impl Record {
    /// Joins the records of shards to that of one run: the games in order, each once.
    ///
    /// # Errors
    /// Records of different tournaments, or two different games of one number.
    pub fn merge(records: Vec<Self>) -> Result<Self, MergeError> {
        let mut merged: Option<Self> = None;
        for mut record in records {
            record.header.shard = None;
            match &mut merged {
                None => merged = Some(record),
                Some(merged) if merged.header == record.header => {
                    merged.games.append(&mut record.games);
                }
                Some(_) => return Err(MergeError::Different),
            }
        }
        let mut merged = merged.ok_or(MergeError::None)?;
        merged.games.sort_by_key(|game| game.game);
        let mut pairs = merged.games.windows(2);
        if let Some(pair) = pairs.find(|pair| pair[0].game == pair[1].game && pair[0] != pair[1]) {
            return Err(MergeError::Twice(pair[0].game));
        }
        merged.games.dedup_by_key(|game| game.game);
        Ok(merged)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::samples::{game, header, record};
    use crate::record::{GameResult, Header};

    #[test]
    fn shards_merge_to_one_record() {
        let shard = |number, games: &[u64]| Record {
            header: Header {
                shard: Some((number, 2)),
                ..header()
            },
            ..record(games)
        };
        let merged =
            Record::merge(vec![shard(1, &[2, 1]), shard(2, &[3]), shard(2, &[3])]).unwrap();
        assert_eq!(merged.games, [game(1), game(2), game(3)]);
        assert_eq!(merged.header, header());
        let mut other = shard(2, &[]);
        other.header.rounds = 7;
        let different = Record::merge(vec![shard(1, &[]), other]);
        assert_eq!(different, Err(MergeError::Different));
        let mut changed = shard(2, &[1]);
        changed.games[0].result = GameResult::White;
        let twice = Record::merge(vec![shard(1, &[1]), changed]);
        assert_eq!(twice, Err(MergeError::Twice(1)));
        assert_eq!(Record::merge(Vec::new()), Err(MergeError::None));
    }
}
