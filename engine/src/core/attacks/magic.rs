//! Sliding attacks by one multiplication (or PEXT) and one look-up.

use super::lines::{LINES, slide_line};
use crate::core::Bitboard;

pub(super) struct Entry {
    mask: u64,
    #[cfg_attr(
        target_feature = "bmi2",
        expect(dead_code, reason = "PEXT needs no multiplier")
    )]
    magic: u64,
    #[cfg_attr(
        target_feature = "bmi2",
        expect(dead_code, reason = "PEXT needs no shift")
    )]
    shift: u32,
    offset: u32,
}

impl Entry {
    #[cfg(not(target_feature = "bmi2"))]
    #[inline(always)]
    pub const fn slot(&self, occupied: u64) -> usize {
        self.offset as usize
            + ((occupied & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
    }

    #[cfg(target_feature = "bmi2")]
    #[inline(always)]
    pub fn slot(&self, occupied: u64) -> usize {
        // SAFETY: the instruction needs BMI2, and this function only exists in builds that require BMI2.
        self.offset as usize
            + unsafe { core::arch::x86_64::_pext_u64(occupied, self.mask) } as usize
    }

    /// `slot` for the n-th subset of the mask in carry-rippler order, which is PEXT's order.
    const fn fill_slot(&self, subset: u64, nth: usize) -> usize {
        #[cfg(not(target_feature = "bmi2"))]
        {
            let _ = nth;
            self.slot(subset)
        }
        #[cfg(target_feature = "bmi2")]
        {
            let _ = subset;
            self.offset as usize + nth
        }
    }
}

const fn slider_attacks(square: usize, occupied: u64, first_line: usize) -> u64 {
    slide_line(square, occupied, LINES[square][first_line])
        | slide_line(square, occupied, LINES[square][first_line + 1])
}

/// Returns the relevant blockers: the lines without the edge of the board, unless the slider is on that edge.
const fn relevant(square: usize, first_line: usize) -> u64 {
    let (file, rank) = (square as u8 % 8, square as u8 / 8);
    let ranks = (Bitboard::RANK_1.0 | Bitboard::RANK_8.0) & !Bitboard::rank(rank).0;
    let files = (Bitboard::FILE_A.0 | Bitboard::FILE_H.0) & !Bitboard::file(file).0;
    (LINES[square][first_line] | LINES[square][first_line + 1]) & !(ranks | files)
}

const fn entries(magics: &[u64; 64], first_line: usize, mut offset: u32) -> [Entry; 64] {
    let mut table = [const {
        Entry {
            mask: 0,
            magic: 0,
            shift: 0,
            offset: 0,
        }
    }; 64];
    let mut square = 0;
    while square < 64 {
        let mask = relevant(square, first_line);
        table[square] = Entry {
            mask,
            magic: magics[square],
            shift: 64 - mask.count_ones(),
            offset,
        };
        offset += 1 << mask.count_ones();
        square += 1;
    }
    table
}

const ROOK_SLOTS: usize = 102_400;
const BISHOP_SLOTS: usize = 5_248;
pub(super) static ROOK_ENTRIES: [Entry; 64] = entries(&ROOK_MAGICS, 0, 0);
pub(super) static BISHOP_ENTRIES: [Entry; 64] = entries(&BISHOP_MAGICS, 2, ROOK_SLOTS as u32);

#[expect(
    long_running_const_eval,
    reason = "107,648 short look-ups, about a second, once per build"
)]
pub(super) static SLIDES: [Bitboard; ROOK_SLOTS + BISHOP_SLOTS] = {
    let mut slides = [Bitboard::EMPTY; ROOK_SLOTS + BISHOP_SLOTS];
    let tables = [
        entries(&ROOK_MAGICS, 0, 0),
        entries(&BISHOP_MAGICS, 2, ROOK_SLOTS as u32),
    ];
    let mut which = 0;
    while which < 2 {
        let mut square = 0;
        while square < 64 {
            let entry = &tables[which][square];
            let (mut subset, mut nth) = (0u64, 0);
            loop {
                slides[entry.fill_slot(subset, nth)] =
                    Bitboard(slider_attacks(square, subset, which * 2));
                subset = subset.wrapping_sub(entry.mask) & entry.mask;
                nth += 1;
                if subset == 0 {
                    break;
                }
            }
            square += 1;
        }
        which += 1;
    }
    slides
};

/// Found by random search with sparse candidates.
const ROOK_MAGICS: [u64; 64] = [
    0x0080002010804000,
    0x2040100040002000,
    0x1700104009002000,
    0x0100040820100100,
    0x0280040008008002,
    0x1b00080400e20100,
    0x5500020001000084,
    0x82000b2282040043,
    0x0084800084400031,
    0x5026400142201001,
    0x0040801000200080,
    0x0a00801000800803,
    0x8080808004000800,
    0x1000808004000200,
    0x4221000402006100,
    0x88c10001000448a6,
    0x0280808000400021,
    0x02a0004010004021,
    0x0240808010002000,
    0x10900a0010420021,
    0x4408110008000500,
    0x0016008100800400,
    0x8800040042081041,
    0x11015a0018489104,
    0x004080e280014001,
    0x0040400080200084,
    0x4080200080100080,
    0x0800100080800800,
    0x2004008080080004,
    0x101c020080800400,
    0x80000104002822b0,
    0x008004020000a041,
    0x2009c00690800028,
    0x815002600240004a,
    0x0601200182801002,
    0x01b0018290800800,
    0x1400040080800800,
    0x4000800400800200,
    0x0001800100800200,
    0x0100005082000421,
    0x0084400824808000,
    0x2020004030004005,
    0x0020200010008080,
    0x1010000800808010,
    0x0080080004008080,
    0x1002000204008080,
    0x0000020110040088,
    0x0804008100420004,
    0x2840018003402480,
    0x0000401000200840,
    0x0a31102000450500,
    0x4000100028018180,
    0x1100080004110100,
    0x0e14008004020080,
    0x2019000402000100,
    0x4200150864246200,
    0x09250010408ae202,
    0x0000400010850821,
    0x0151400b00112001,
    0x12a3002004099001,
    0x0082002008849002,
    0x400100081a040003,
    0x088008100605009c,
    0x0090090080440822,
];

/// Found by random search with sparse candidates.
const BISHOP_MAGICS: [u64; 64] = [
    0x010204080081020a,
    0x8008880100420433,
    0x0208148412800000,
    0x4408084110000068,
    0x08020211020d0020,
    0x0008280848812041,
    0x0200410820110400,
    0x0005050841044000,
    0x0010602034210050,
    0x0020080218044300,
    0x7940443404014404,
    0x1008080481080003,
    0x6040040422052388,
    0x10900d0420060200,
    0x0000012402024000,
    0x450020484208200c,
    0x0010300420c20410,
    0x0120800801290220,
    0x13208011020c0040,
    0x8040800802024000,
    0x214100c490400050,
    0x0022000020942000,
    0x0002000400828800,
    0x8042820244042100,
    0x0008401008420802,
    0x0410901004140090,
    0x8a08010008020021,
    0x2014080000220040,
    0x0281001005004020,
    0x2002060000880904,
    0x0010840c00821840,
    0x4018882000822804,
    0x0010042100100200,
    0x0004092481285043,
    0x4000209040080800,
    0x0016008020020201,
    0x80c0010040020802,
    0x0004008080880800,
    0x21010c040100a202,
    0x6801010b301a0200,
    0x11020202a0014000,
    0x0022082202082820,
    0xc08300c110000240,
    0x4008122214000806,
    0x0b09400882020120,
    0x4002204143000180,
    0x0129080104100040,
    0x800c080203208042,
    0x01088401a0508000,
    0x80009184882040c2,
    0x9001094208240005,
    0x0290802084040040,
    0xc0204068e1050480,
    0xa121052810090000,
    0x0591052808084000,
    0x0008100440802080,
    0x0c40120292084060,
    0x0000002082501000,
    0x000806120300c800,
    0x0202284400aa0804,
    0x0000a10008102407,
    0x2002484008016100,
    0x0422041034480c80,
    0x1022104a281100a0,
];
