//! Random draw of the seats.

/// Two players in the order of their seats, drawn at random. The numbers come from the caller's random source.
pub fn draw_seats<T>([one, other]: [T; 2], random: &mut impl FnMut() -> u64) -> [T; 2] {
    if random().is_multiple_of(2) {
        [one, other]
    } else {
        [other, one]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `SplitMix64`, which is as random as a test has to be, and the same every time.
    fn seeded(mut state: u64) -> impl FnMut() -> u64 {
        move || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^ (mixed >> 31)
        }
    }

    #[test]
    fn both_orders_come_about_equally_often() {
        let mut random = seeded(7);
        let drawn = (0..1000).map(|_| draw_seats(["ann", "bob"], &mut random));
        let anns = drawn.filter(|seats| *seats == ["ann", "bob"]).count();
        assert!((450..550).contains(&anns), "{anns} of 1000");
    }

    #[test]
    fn seats_depend_only_on_the_random_numbers() {
        let draw = || {
            let mut random = seeded(11);
            (0..32)
                .map(|_| draw_seats([1, 2], &mut random))
                .collect::<Vec<_>>()
        };
        assert_eq!(draw(), draw());
    }
}
