//! Points as two letters: `a`–`z`, then `A`–`Z`, the column first and rows counted from the top.

use crate::dots::Point;

/// The two letters of a point.
#[must_use]
pub fn spell(point: Point) -> [char; 2] {
    [point.x, point.y].map(|number| {
        let first = if number < 26 { b'a' } else { b'A' - 26 };
        char::from(first + number)
    })
}

/// The point of two letters. It may still be off a board.
#[must_use]
pub fn read(letters: &str) -> Option<Point> {
    let &[x, y] = letters.as_bytes() else {
        return None;
    };
    Some(Point::new(number(x)?, number(y)?))
}

fn number(letter: u8) -> Option<u8> {
    match letter {
        b'a'..=b'z' => Some(letter - b'a'),
        b'A'..=b'Z' => Some(letter - b'A' + 26),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_letters_are_a_point() {
        for (letters, x, y) in [("aa", 0, 0), ("zA", 25, 26), ("Mf", 38, 5), ("XX", 49, 49)] {
            let point = Point::new(x, y);
            assert_eq!(read(letters), Some(point));
            assert_eq!(spell(point).iter().collect::<String>(), letters);
        }
        for letters in ["", "a", "aaa", "a1", "é", "a:"] {
            assert_eq!(read(letters), None, "{letters:?}");
        }
    }
}
