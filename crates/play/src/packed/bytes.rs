//! Integers as bytes.

use super::damage::DamagedPack;

/// Bytes that are written.
#[derive(Default)]
pub(super) struct Output(Vec<u8>);

impl Output {
    pub(super) fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    pub(super) fn extend(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// LEB128: seven bits a byte, the lowest first.
    pub(super) fn unsigned(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    /// Zigzag, so that small negative numbers are short, too.
    pub(super) fn signed(&mut self, number: i64) {
        self.unsigned(((number << 1) ^ (number >> 63)).cast_unsigned());
    }

    /// One byte, or two.
    pub(super) fn number(&mut self, number: u16, is_wide: bool) {
        let [low, high] = number.to_le_bytes();
        self.0.push(low);
        if is_wide {
            self.0.push(high);
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// Bytes that are read.
pub(super) struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn byte(&mut self) -> Result<u8, DamagedPack> {
        let (&byte, rest) = self.0.split_first().ok_or_else(cut_off)?;
        self.0 = rest;
        Ok(byte)
    }

    pub(super) fn bytes(&mut self, len: u64) -> Result<&'a [u8], DamagedPack> {
        let len = usize::try_from(len).map_err(|_| cut_off())?;
        let (bytes, rest) = self.0.split_at_checked(len).ok_or_else(cut_off)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(super) fn unsigned(&mut self) -> Result<u64, DamagedPack> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(DamagedPack("a number of more than 64 bits".to_owned()))
    }

    pub(super) fn signed(&mut self) -> Result<i64, DamagedPack> {
        let number = self.unsigned()?;
        Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    pub(super) fn number(&mut self, is_wide: bool) -> Result<u16, DamagedPack> {
        let low = self.byte()?;
        let high = if is_wide { self.byte()? } else { 0 };
        Ok(u16::from_le_bytes([low, high]))
    }
}

fn cut_off() -> DamagedPack {
    DamagedPack("cut off".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back() {
        for number in [0, 1, -1, 63, -64, 64, 5_000, i64::MAX, i64::MIN] {
            let mut output = Output::default();
            output.signed(number);
            output.unsigned(number.cast_unsigned());
            let bytes = output.into_bytes();
            let mut input = Input::new(&bytes);
            assert_eq!(input.signed().unwrap(), number);
            assert_eq!(input.unsigned().unwrap(), number.cast_unsigned());
            assert!(input.is_empty());
        }
        for (number, len) in [(63, 1), (-64, 1), (64, 2), (-5_000, 2), (60_000, 3)] {
            let mut output = Output::default();
            output.signed(number);
            assert_eq!(output.into_bytes().len(), len, "{number}");
        }
    }

    #[test]
    fn numbers_that_are_too_long_or_cut_off_are_damage() {
        for bytes in [&[0xff; 10][..], &[0x80; 11], &[0x80], &[]] {
            assert!(Input::new(bytes).unsigned().is_err(), "{bytes:?}");
        }
        assert!(Input::new(&[1, 2]).bytes(3).is_err());
        assert!(Input::new(&[1]).number(true).is_err());
    }
}
