//! Discs that can never be flipped again.

/// Discs of `own` that are certainly stable (a part of all that are): in each of the four lines through such a disc either
/// all squares are occupied, or a neighbour is the edge or a stable disc of the same side.
#[must_use]
pub(super) fn stable(own: u64, enemy: u64) -> u64 {
    let occupied = own | enemy;
    let full = LINES.map(|line| full(occupied, line));
    let mut stable = own & full[0] & full[1] & full[2] & full[3];
    stable |= own & CORNERS;
    if stable == 0 {
        return 0;
    }
    loop {
        let mut more = own;
        for ((by, low, high), full) in LINES.iter().zip(full) {
            more &= full | stable << by | low[0] | stable >> by | high[0];
        }
        more |= stable;
        if more == stable {
            return stable;
        }
        stable = more;
    }
}

const CORNERS: u64 = 0x8100_0000_0000_0081;

/// A direction: its shift, the squares without one, two and four predecessors, and those without as many successors.
type Line = (u32, [u64; 3], [u64; 3]);

const LINES: [Line; 4] = [line(1, 1, 0), line(7, -1, 1), line(8, 0, 1), line(9, 1, 1)];

const fn line(by: u32, dx: i32, dy: i32) -> Line {
    let (mut low, mut high, mut square) = ([0; 3], [0; 3], 0);
    while square < 64 {
        let (x, y) = (square % 8, square / 8);
        let mut power = 0;
        while power < 3 {
            let steps = 1 << power;
            let (x0, y0) = (x - steps * dx, y - steps * dy);
            if x0 < 0 || x0 > 7 || y0 < 0 || y0 > 7 {
                low[power] |= 1 << square;
            }
            let (x1, y1) = (x + steps * dx, y + steps * dy);
            if x1 < 0 || x1 > 7 || y1 < 0 || y1 > 7 {
                high[power] |= 1 << square;
            }
            power += 1;
        }
        square += 1;
    }
    (by, low, high)
}

/// The squares whose whole line is occupied.
#[inline]
fn full(occupied: u64, (by, low, high): Line) -> u64 {
    let (mut up, mut down) = (occupied, occupied);
    for power in 0..3 {
        up &= up << (by << power) | low[power];
        down &= down >> (by << power) | high[power];
    }
    up & down
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reversi::board::{Board, squares};

    #[test]
    fn a_stable_disc_is_never_flipped() {
        let mut rng = crate::Rng::new(5);
        let mut seen = 0;
        for _ in 0..200 {
            let mut board = Board {
                own: 0x0000_0008_1000_0000,
                enemy: 0x0000_0010_0800_0000,
            };
            let mut kept = [0; 2];
            loop {
                let mut legal = board.legal();
                if legal == 0 {
                    board = board.passed();
                    kept.swap(0, 1);
                    legal = board.legal();
                    if legal == 0 {
                        break;
                    }
                }
                kept[0] |= stable(board.own, board.enemy);
                kept[1] |= stable(board.enemy, board.own);
                let number = rng.below(legal.count_ones()) as usize;
                let square = squares(legal).nth(number).unwrap();
                board = board.after(square, board.flips(square));
                kept.swap(0, 1);
                assert_eq!((kept[0] & !board.own, kept[1] & !board.enemy), (0, 0));
            }
            seen += (kept[0] | kept[1]).count_ones();
        }
        assert!(seen > 200 * 20, "most discs are stable in the end: {seen}");
    }
}
