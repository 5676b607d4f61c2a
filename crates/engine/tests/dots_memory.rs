//! The engine of Dots stays below the memory that it is given, and allocates for a depth or a longer tree, never for a node.

use tochki_engine::{Engine, Limits, Progress, dots::DotsEngine};
use tochki_rules::{
    Game,
    dots::{Dots, Opening, Setup},
};

fn search(engine: &mut DotsEngine) {
    while engine.step(500) == Progress::Running {}
}

#[test]
fn the_bound_of_memory_is_kept() {
    for (width, height) in [(12, 12), (50, 50)] {
        let setup = Setup::new(width, height, Opening::FourCrosses).unwrap();
        for memory in [Limits::MIN_MEMORY, 4 << 20] {
            let limits = Limits {
                memory,
                ..Limits::nodes(4000)
            };
            let used = allocation_counter::measure(|| {
                let mut dots = Dots::new(&setup);
                let mut engine = DotsEngine::new(&dots, limits, 1);
                search(&mut engine);
                for seed in 2..3 {
                    let choice = engine.best().choice.expect("the game goes on");
                    dots.play(choice).unwrap();
                    engine.set_position(&dots, limits, seed);
                    search(&mut engine);
                }
            });
            assert!(
                used.bytes_max <= memory as u64,
                "{} of {memory} bytes at {width} × {height}",
                used.bytes_max
            );
        }
    }
}

#[test]
fn it_allocates_for_a_depth_and_never_for_a_node() {
    let setup = Setup::new(10, 10, Opening::Cross).unwrap();
    let limits = Limits {
        // So little that the tree is soon as large as it may be.
        memory: 3 << 20,
        ..Limits::nodes(12_000)
    };
    let mut engine = DotsEngine::new(&Dots::new(&setup), limits, 1);
    engine.step(5000);
    let used = allocation_counter::measure(|| {
        engine.step(2000);
    });
    assert!(used.count_total < 40, "{} allocations", used.count_total);
}
