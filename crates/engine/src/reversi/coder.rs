//! Small integers in few bytes: an adaptive binary range coder, as in LZMA (I. Pavlov's *LZMA specification*).
//!
//! A bit costs as much as it surprises. Its probability is learnt while coding, so only the bits are stored.

/// The probability, of 4096, that a bit is 0.
#[derive(Clone, Copy)]
struct Probability(u16);

impl Probability {
    const EVEN: Self = Self(2048);

    fn learn(&mut self, bit: bool) {
        if bit {
            self.0 -= self.0 >> 5;
        } else {
            self.0 += (4096 - self.0) >> 5;
        }
    }

    const fn part(self, range: u32) -> u32 {
        (range >> 12) * self.0 as u32
    }
}

/// The probabilities of the bits of an integer: whether it is 0, its sign, its size in unary.
#[derive(Clone)]
struct Context {
    zero: Probability,
    sign: Probability,
    size: [Probability; 127],
}

/// The number of contexts of an integer, which the caller chooses by the neighbours of the integer.
pub(super) const CONTEXTS: usize = 64;

struct Model(Vec<Context>);

impl Model {
    fn new() -> Self {
        let context = Context {
            zero: Probability::EVEN,
            sign: Probability::EVEN,
            size: [Probability::EVEN; 127],
        };
        Self(vec![context; CONTEXTS])
    }
}

/// Writes integers.
pub(super) struct Encoder {
    model: Model,
    low: u64,
    range: u32,
    bytes: Vec<u8>,
}

impl Encoder {
    /// An encoder that has written nothing yet.
    #[must_use]
    pub(super) fn new() -> Self {
        Self {
            model: Model::new(),
            low: 0,
            range: u32::MAX,
            bytes: Vec::new(),
        }
    }

    /// Writes an integer from −127 to 127 in a context below [`CONTEXTS`].
    pub(super) fn put(&mut self, context: usize, value: i8) {
        let size = usize::from(value.unsigned_abs().min(127));
        let mut context_now = self.model.0[context % CONTEXTS].clone();
        self.bit(&mut context_now.zero, size != 0);
        if size > 0 {
            self.bit(&mut context_now.sign, value < 0);
            for step in 1..127 {
                self.bit(&mut context_now.size[step], size > step);
                if size <= step {
                    break;
                }
            }
        }
        self.model.0[context % CONTEXTS] = context_now;
    }

    fn bit(&mut self, probability: &mut Probability, bit: bool) {
        let part = probability.part(self.range);
        if bit {
            self.low += u64::from(part);
            self.range -= part;
        } else {
            self.range = part;
        }
        probability.learn(bit);
        while self.range < 1 << 24 {
            self.shift();
            self.range <<= 8;
        }
    }

    /// Moves the highest byte out, with a carry into the bytes before it.
    fn shift(&mut self) {
        if self.low > u64::from(u32::MAX) {
            for byte in self.bytes.iter_mut().rev() {
                *byte = byte.wrapping_add(1);
                if *byte != 0 {
                    break;
                }
            }
        }
        self.bytes.push((self.low >> 24) as u8);
        self.low = self.low << 8 & 0xFFFF_FFFF;
    }

    /// The bytes of all integers that were written.
    #[must_use]
    pub(super) fn finish(mut self) -> Vec<u8> {
        for _ in 0..4 {
            self.shift();
        }
        self.bytes
    }
}

/// Reads integers that an [`Encoder`] has written, in the same contexts. After the last byte it reads zeros.
pub(super) struct Decoder<'a> {
    model: Model,
    code: u32,
    range: u32,
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    /// The reader of these bytes.
    #[must_use]
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self {
            model: Model::new(),
            code: 0,
            range: u32::MAX,
            bytes,
        };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    fn shift(&mut self) {
        let next = self
            .bytes
            .split_first()
            .map(|(first, rest)| {
                self.bytes = rest;
                first
            })
            .copied()
            .unwrap_or(0);
        self.code = self.code << 8 | u32::from(next);
    }

    /// Reads the next integer.
    pub(super) fn get(&mut self, context: usize) -> i8 {
        let mut context_now = self.model.0[context % CONTEXTS].clone();
        let mut value = 0;
        if self.bit(&mut context_now.zero) {
            let negative = self.bit(&mut context_now.sign);
            value = 1;
            while value < 127 && self.bit(&mut context_now.size[value as usize]) {
                value += 1;
            }
            if negative {
                value = -value;
            }
        }
        self.model.0[context % CONTEXTS] = context_now;
        value
    }

    fn bit(&mut self, probability: &mut Probability) -> bool {
        let part = probability.part(self.range);
        let bit = self.code >= part;
        if bit {
            self.code -= part;
            self.range -= part;
        } else {
            self.range = part;
        }
        probability.learn(bit);
        while self.range < 1 << 24 {
            self.shift();
            self.range <<= 8;
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let mut rng = crate::Rng::new(2);
        let numbers: Vec<(usize, i8)> = (0..20_000)
            .map(|_| {
                let size = rng.below(128).min(rng.below(128)).min(rng.below(128)) as i8;
                let sign = if rng.below(2) == 0 { 1 } else { -1 };
                (rng.below(CONTEXTS as u32) as usize, size * sign)
            })
            .collect();
        let mut encoder = Encoder::new();
        for &(context, number) in &numbers {
            encoder.put(context, number);
        }
        let bytes = encoder.finish();
        let mut decoder = Decoder::new(&bytes);
        for &(context, number) in &numbers {
            assert_eq!(decoder.get(context), number);
        }
    }

    #[test]
    fn zeros_cost_little() {
        let mut encoder = Encoder::new();
        for _ in 0..10_000 {
            encoder.put(0, 0);
        }
        assert!(encoder.finish().len() < 80);
    }
}
