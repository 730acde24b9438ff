//! Speed of what everything else is made of: `cargo bench`, or `cargo bench -- perft` for a part.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use hippolyta::board::flood::{Kernel, Portable, connected};
use hippolyta::endgame::Work;
use hippolyta::endgame::amazons::{Effort, certain_line, prove};
use hippolyta::eval::Evaluator;
use hippolyta::eval::amazons::AmazonsEvaluator;
use hippolyta::games::amazons::Amazons;
use hippolyta::games::{Game, Notation, Position, perft, variant};
use hippolyta::search::{Control, Limits, Search, Settings};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::hint::black_box;

fn start() -> Amazons {
    Amazons::from_fen(variant::DEFAULT, variant::DEFAULT.start()).unwrap()
}

/// Positions of a random game after 0, 4, 8 … turns.
fn positions() -> Vec<Amazons> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut position, mut found) = (start(), Vec::new());
    for turn in 0..48 {
        if turn % 4 == 0 {
            found.push(position);
        }
        for _ in 0..2 {
            let steps = position.steps();
            position.play(steps[random.random_range(0..steps.len())]);
        }
    }
    found
}

fn board(criterion: &mut Criterion) {
    let positions = positions();
    let mut group = criterion.benchmark_group("board");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("queen targets of every amazon", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                for square in position.both_amazons()[0] | position.both_amazons()[1] {
                    black_box(position.geometry().queen_targets(square, position.empty()));
                }
            }
        });
    });
    fn floods<K: Kernel>(kernel: K, positions: &[Amazons]) {
        for position in positions {
            let (geometry, sources, empty) = (position.geometry(), position.both_amazons(), position.empty());
            black_box(kernel.queen_levels(geometry, sources, empty));
            black_box(kernel.king_levels(geometry, sources, empty));
        }
    }
    group.bench_function("floods, portable", |bencher| bencher.iter(|| floods(Portable, &positions)));
    #[cfg(target_arch = "x86_64")]
    {
        use hippolyta::board::flood::{Avx2, Avx512};
        if let Some(kernel) = Avx2::detect() {
            group.bench_function("floods, AVX2", |bencher| bencher.iter(|| floods(kernel, &positions)));
        }
        if let Some(kernel) = Avx512::detect() {
            group.bench_function("floods, AVX-512", |bencher| bencher.iter(|| floods(kernel, &positions)));
        }
    }
    group.finish();
}

fn evaluation(criterion: &mut Criterion) {
    let positions = positions();
    let evaluator = AmazonsEvaluator::default();
    let mut group = criterion.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("evaluate", |bencher| {
        bencher.iter(|| positions.iter().for_each(|position| _ = black_box(evaluator.evaluate(position))));
    });
    group.bench_function("policy of moves", |bencher| {
        let steps: Vec<_> = positions.iter().map(Position::steps).collect();
        let mut logits = vec![0.0; 512];
        bencher.iter(|| {
            for (position, steps) in positions.iter().zip(&steps) {
                evaluator.policy(position, steps, &mut logits[..steps.len()]);
                black_box(&logits);
            }
        });
    });
    group.finish();
}

/// Proofs at leaves: territories counted before, as nearly always, and a position with an answer at once.
fn endgames(criterion: &mut Criterion) {
    let fen = "5*1*2/6***1/4q**Q*1/2******2/*1****1***/*q**Q**q2/Q***q*****/*2****3/3***4/2*4Q2 w";
    let position = Amazons::from_fen(variant::DEFAULT, fen).unwrap();
    let reached = position.both_amazons().map(|set| connected(position.geometry(), set, position.empty()));
    let mut group = criterion.benchmark_group("endgame");
    group.bench_function("prove", |bencher| bencher.iter(|| prove(black_box(&position), reached)));
    group.bench_function("certain line", |bencher| {
        bencher.iter(|| certain_line(black_box(&position), &Effort::MOVE, &Work::unlimited()))
    });
    group.finish();
}

fn counting(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("perft");
    group.sample_size(10);
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        group.throughput(Throughput::Elements(8_350_439_170));
        group.bench_function(format!("depth 3, {threads} threads"), |bencher| {
            bencher.iter(|| pool.install(|| perft(&start(), 3).nodes));
        });
    }
    group.finish();
}

fn searching(criterion: &mut Criterion) {
    const NODES: u64 = 20_000;
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    group.throughput(Throughput::Elements(NODES));
    for threads in [1, 2] {
        let settings = Settings { hash: 64, threads, ..Settings::default() };
        let mut search = Search::new(AmazonsEvaluator::default(), settings).unwrap();
        let game = Game::new(start());
        let limits = Limits { nodes: Some(NODES), ..Limits::default() };
        group.bench_function(format!("start position, {threads} threads"), |bencher| {
            bencher.iter_batched_ref(
                || (),
                |()| {
                    search.clear();
                    search.run(&game, &limits, &Control::default(), &mut |_| ()).nodes
                },
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, board, evaluation, endgames, counting, searching);
criterion_main!(benches);
