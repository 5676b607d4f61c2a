//! Parts of the board whose occupation is looked up in tables of weights.
//!
//! A part of n squares has 3ⁿ occupations, numbered in base 3: 0 is empty, 1 an own disc, 2 the other's. All parts of a
//! kind share a table; and since they are read in either direction, so do occupations that are mirror images. The kinds
//! follow Logistello's (M. Buro, *Experiments with Multi-ProbCut*, 1997): corners of 3 × 3, edges with both X squares, the
//! lines next to the edge, the second and the third from it, and diagonals of 8 to 4 squares.

use super::board::Board;

/// The number of features of a position: weights that are added up.
pub const FEATURES: usize = 43;

/// The flat weights of one stage: the tables of all kinds, one after another.
pub const WEIGHTS: usize = PARITY + 2;

const CORNER: usize = 0;
const EDGE: usize = CORNER + 19_683;
const LINES: usize = EDGE + 59_049;
const DIAGONAL_8: usize = LINES + 3 * 6_561;
const DIAGONAL_7: usize = DIAGONAL_8 + 6_561;
const DIAGONAL_6: usize = DIAGONAL_7 + 2_187;
const DIAGONAL_5: usize = DIAGONAL_6 + 729;
const DIAGONAL_4: usize = DIAGONAL_5 + 243;
/// Moves of either side, and empty squares beside discs of either side: counts below 32.
const MOBILITY: usize = DIAGONAL_4 + 81;
/// The parity of the number of empty squares.
const PARITY: usize = MOBILITY + 4 * 32;

/// The tables: the beginning of each, its number of squares, and the square that a mirror image puts in the place of each. The
/// weights that follow the tables have no mirror image.
const TABLES: [(usize, usize, &[usize]); 10] = [
    (CORNER, 9, &[0, 3, 6, 1, 4, 7, 2, 5, 8]),
    (EDGE, 10, &[7, 6, 5, 4, 3, 2, 1, 0, 9, 8]),
    (LINES, 8, &[7, 6, 5, 4, 3, 2, 1, 0]),
    (LINES + 6_561, 8, &[7, 6, 5, 4, 3, 2, 1, 0]),
    (LINES + 2 * 6_561, 8, &[7, 6, 5, 4, 3, 2, 1, 0]),
    (DIAGONAL_8, 8, &[7, 6, 5, 4, 3, 2, 1, 0]),
    (DIAGONAL_7, 7, &[6, 5, 4, 3, 2, 1, 0]),
    (DIAGONAL_6, 6, &[5, 4, 3, 2, 1, 0]),
    (DIAGONAL_5, 5, &[4, 3, 2, 1, 0]),
    (DIAGONAL_4, 4, &[3, 2, 1, 0]),
];

/// The number in base 3 whose digits are the bits.
const BASE_3: [u16; 1024] = {
    let (mut numbers, mut bits) = ([0; 1024], 0);
    while bits < 1024 {
        let (mut digit, mut power) = (0, 1);
        while digit < 10 {
            if bits >> digit & 1 == 1 {
                numbers[bits] += power;
            }
            (digit, power) = (digit + 1, if digit < 9 { power * 3 } else { power });
        }
        bits += 1;
    }
    numbers
};

/// The number in base 3 of nine bits in which each three are in reverse, as a corner at the right is read.
const BASE_3_REVERSED: [u16; 512] = {
    let (mut numbers, mut bits) = ([0; 512], 0);
    while bits < 512 {
        let (mut from, mut digits) = (0, 0);
        while from < 9 {
            digits |= (bits >> from & 1) << (from / 3 * 3 + 2 - from % 3);
            from += 1;
        }
        numbers[bits] = BASE_3[digits];
        bits += 1;
    }
    numbers
};

/// The eighteen diagonals of four squares or more: their squares, their leftmost column, and their table.
const DIAGONALS: [(u64, u32, u32); 18] = {
    let (mut diagonals, mut number, mut length) = ([(0, 0, 0); 18], 0, 8);
    while length >= 4 {
        let offset = 8 - length;
        let table = match length {
            8 => DIAGONAL_8,
            7 => DIAGONAL_7,
            6 => DIAGONAL_6,
            5 => DIAGONAL_5,
            _ => DIAGONAL_4,
        } as u32;
        // The diagonals on which x − y, and those on which x + y − 7, is the offset to either side.
        let mut side = if offset == 0 { 1 } else { -1 };
        while side <= 1 {
            let (mut falling, mut rising, mut square) = (0, 0, 0);
            while square < 64 {
                let (x, y) = (square % 8, square / 8);
                if x - y == side * offset {
                    falling |= 1 << square;
                }
                if x + y - 7 == side * offset {
                    rising |= 1 << square;
                }
                square += 1;
            }
            let column = if side > 0 { offset as u32 } else { 0 };
            diagonals[number] = (falling, column, table);
            diagonals[number + 1] = (rising, column, table);
            number += 2;
            side += 2;
        }
        length -= 1;
    }
    diagonals
};

/// The rows as columns.
#[inline]
const fn transposed(mut set: u64) -> u64 {
    let mut swapped = (set ^ set >> 7) & 0x00AA_00AA_00AA_00AA;
    set ^= swapped ^ swapped << 7;
    swapped = (set ^ set >> 14) & 0x0000_CCCC_0000_CCCC;
    set ^= swapped ^ swapped << 14;
    swapped = (set ^ set >> 28) & 0x0000_0000_F0F0_F0F0;
    set ^ swapped ^ swapped << 28
}

/// All squares beside those of the set.
#[inline]
pub(super) const fn beside(set: u64) -> u64 {
    let inner = set & 0x7E7E_7E7E_7E7E_7E7E;
    let left = set & !0x0101_0101_0101_0101;
    let right = set & !0x8080_8080_8080_8080;
    let rows = inner | left >> 1 | right << 1 | set;
    rows | rows << 8 | rows >> 8
}

#[inline]
fn number(own: u64, enemy: u64) -> u32 {
    u32::from(BASE_3[own as usize & 1023]) + 2 * u32::from(BASE_3[enemy as usize & 1023])
}

#[inline]
fn reversed_number(own: u64, enemy: u64) -> u32 {
    u32::from(BASE_3_REVERSED[own as usize & 511])
        + 2 * u32::from(BASE_3_REVERSED[enemy as usize & 511])
}

/// The weights of a stage that a position adds up.
///
/// `legal` are the moves of the side to move.
#[inline]
#[must_use]
pub fn features(board: Board, legal: u64) -> [u32; FEATURES] {
    let Board { own, enemy } = board;
    let mut features = [0; FEATURES];
    let corner = |set: u64, by: u32| {
        let rows = set >> by;
        rows & 7 | (rows >> 8 & 7) << 3 | (rows >> 16 & 7) << 6
    };
    let (own_mirrored, enemy_mirrored) = (own.swap_bytes(), enemy.swap_bytes());
    features[0] = CORNER as u32 + number(corner(own, 0), corner(enemy, 0));
    features[1] = CORNER as u32 + reversed_number(corner(own, 5), corner(enemy, 5));
    features[2] = CORNER as u32 + number(corner(own_mirrored, 0), corner(enemy_mirrored, 0));
    features[3] =
        CORNER as u32 + reversed_number(corner(own_mirrored, 5), corner(enemy_mirrored, 5));

    let edge = |set: u64| set & 0xFF | (set >> 9 & 1) << 8 | (set >> 14 & 1) << 9;
    let row = |set: u64, row: u32| set >> (8 * row) & 0xFF;
    let (own_columns, enemy_columns) = (transposed(own), transposed(enemy));
    for (half, (own, enemy)) in [(own, enemy), (own_columns, enemy_columns)]
        .into_iter()
        .enumerate()
    {
        let at = 4 + 8 * half;
        features[at] = EDGE as u32 + number(edge(own), edge(enemy));
        features[at + 1] = EDGE as u32 + number(edge(own.swap_bytes()), edge(enemy.swap_bytes()));
        for line in 0..3 {
            let table = (LINES + 6_561 * line as usize) as u32;
            let at = at + 2 + 2 * line as usize;
            features[at] = table + number(row(own, 1 + line), row(enemy, 1 + line));
            features[at + 1] = table + number(row(own, 6 - line), row(enemy, 6 - line));
        }
    }
    for (feature, &(mask, column, table)) in features[20..38].iter_mut().zip(&DIAGONALS) {
        let line = |set: u64| (set & mask).wrapping_mul(0x0101_0101_0101_0101) >> 56 >> column;
        *feature = table + number(line(own), line(enemy));
    }
    let count = |set: u64| set.count_ones().min(31);
    let empty = board.empty();
    features[38] = MOBILITY as u32 + count(legal);
    features[39] = MOBILITY as u32 + 32 + count(board.passed().legal());
    features[40] = MOBILITY as u32 + 64 + count(beside(own) & empty);
    features[41] = MOBILITY as u32 + 96 + count(beside(enemy) & empty);
    features[42] = PARITY as u32 + (empty.count_ones() & 1);
    features
}

/// The representative of each weight of a stage, the first one that is always equal to it: itself, or its mirror image.
#[must_use]
pub fn representatives() -> Vec<u32> {
    let mut all: Vec<u32> = (0..WEIGHTS as u32).collect();
    for (table, squares, mirror) in TABLES {
        for occupation in 0..3_usize.pow(squares as u32) {
            let digit = |square: usize| occupation / 3_usize.pow(square as u32) % 3;
            let mirrored: usize = (0..squares)
                .map(|square| digit(mirror[square]) * 3_usize.pow(square as u32))
                .sum();
            all[table + occupation] = (table + occupation.min(mirrored)) as u32;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The position turned and mirrored in all eight ways.
    fn images(board: Board) -> [Board; 8] {
        let each = |map: fn(u64) -> u64, board: Board| Board {
            own: map(board.own),
            enemy: map(board.enemy),
        };
        let mut images = [board; 8];
        for (number, image) in images.iter_mut().enumerate() {
            if number & 1 > 0 {
                *image = each(u64::swap_bytes, *image);
            }
            if number & 2 > 0 {
                *image = each(|set| set.reverse_bits().swap_bytes(), *image);
            }
            if number & 4 > 0 {
                *image = each(transposed, *image);
            }
        }
        images
    }

    #[test]
    fn images_of_a_position_have_the_same_weights() {
        let all = representatives();
        let mut rng = crate::Rng::new(1);
        for _ in 0..50 {
            let (own, other) = (rng.bits() & rng.bits(), rng.bits());
            let board = Board {
                own,
                enemy: other & !own,
            };
            let weights = |board: Board| {
                let mut weights = features(board, board.legal()).map(|at| all[at as usize]);
                weights.sort_unstable();
                weights
            };
            for image in images(board) {
                assert_eq!(weights(image), weights(board));
            }
        }
    }

    #[test]
    fn a_table_has_as_many_different_weights_as_classes_of_mirror_images() {
        let all = representatives();
        let classes = |table: std::ops::Range<usize>| {
            table.clone().filter(|&at| all[at] == at as u32).count()
        };
        assert_eq!(classes(CORNER..EDGE), 10_206);
        assert_eq!(classes(EDGE..LINES), 29_646);
        assert_eq!(classes(LINES..LINES + 6_561), 3_321);
        assert_eq!(classes(DIAGONAL_4..MOBILITY), 45);
    }
}
