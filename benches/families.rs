//! Speed of the families beside the Amazons: `cargo bench --bench families`, or with `-- perft` for a part.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hippolyta::eval::Evaluator;
use hippolyta::eval::Weights;
use hippolyta::eval::damone::DamoneEvaluator;
use hippolyta::eval::desdemona::DesdemonaEvaluator;
use hippolyta::games::damone::Damone;
use hippolyta::games::desdemona::Desdemona;
use hippolyta::games::variant::{self, Family, VARIANTS, Variant};
use hippolyta::games::{Notation, perft};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::hint::black_box;

/// Positions at the start of turns of a random game.
fn positions<P: Notation>(variant: &Variant) -> Vec<P> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut position, mut found) = (P::from_fen(variant, variant.start()).unwrap(), Vec::new());
    while found.len() < 40 && !(position.at_turn_start() && position.outcome().is_some()) {
        if position.at_turn_start() {
            found.push(position.clone());
        }
        let steps = position.steps();
        position.play(steps[random.random_range(0..steps.len())]);
    }
    found
}

fn counting(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for variant in VARIANTS {
        match variant.family() {
            Family::Amazons | Family::General(_) => {}
            Family::Desdemona(_) => {
                let start = Desdemona::from_fen(variant, variant.start()).unwrap();
                group.throughput(Throughput::Elements(perft(&start, 3).nodes));
                group.bench_function(format!("{}, depth 3", variant.name()), |bencher| {
                    bencher.iter(|| pool.install(|| perft(&start, 3).nodes));
                });
            }
            Family::Damone(_) => {
                let start = Damone::from_fen(variant, variant.start()).unwrap();
                group.throughput(Throughput::Elements(perft(&start, 7).nodes));
                group.bench_function(format!("{}, depth 7", variant.name()), |bencher| {
                    bencher.iter(|| pool.install(|| perft(&start, 7).nodes));
                });
            }
        }
    }
    group.finish();
}

fn evaluation(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("evaluation");
    for name in ["desdemona", "cassio", "iago", "desdemona-early", "desdemona-site"] {
        let variant = &variant::find(name).unwrap();
        let Family::Desdemona(rules) = variant.family() else { continue };
        let (evaluator, positions) =
            (DesdemonaEvaluator::new(rules, &Weights::embedded()), positions::<Desdemona>(variant));
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(name, |bencher| {
            bencher.iter(|| positions.iter().for_each(|position| _ = black_box(evaluator.evaluate(position))));
        });
    }
    let positions = positions::<Damone>(&variant::find("damone").unwrap());
    group.throughput(Throughput::Elements(positions.len() as u64));
    let evaluator = DamoneEvaluator::default();
    group.bench_function("damone", |bencher| {
        bencher.iter(|| positions.iter().for_each(|position| _ = black_box(evaluator.evaluate(position))));
    });
    group.finish();
}

criterion_group!(benches, counting, evaluation);
criterion_main!(benches);
