use hippolyta::eval::{amazons::*, *};
use hippolyta::games::*;
use rand::{RngExt, SeedableRng};
fn main() {
    let v = variant::find("amazons").unwrap();
    let p = amazons::Amazons::from_fen(v, v.start).unwrap();
    let e = AmazonsEvaluator::default();
    let mut r = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(1);
    let mut ps = vec![vec![]; 100];
    for _ in 0..100 {
        let mut q = p;
        let mut i = 0;
        while q.outcome().is_none() {
            ps[i].push(q);
            i += 1;
            for _ in 0..2 {
                let s = q.steps();
                q.play(s[r.random_range(0..s.len())]);
            }
        }
    }
    for i in (0..80).step_by(8) {
        let n = ps[i].len();
        if n == 0 {
            continue;
        }
        let t = std::time::Instant::now();
        let mut ex = 0;
        for _ in 0..200 {
            for q in &ps[i] {
                if let Judgement::Exact(_) = std::hint::black_box(e.judge(q)) {
                    ex += 1
                }
            }
        }
        println!("ply {i} n {n} judge {:.0} ns exact {}", t.elapsed().as_nanos() as f64 / (200 * n) as f64, ex / 200);
        let t = std::time::Instant::now();
        let mut c = 0;
        for _ in 0..20 {
            for q in &ps[i] {
                let s = q.steps();
                let mut l = vec![0.0; s.len()];
                e.policy(q, &s, &mut l);
                c += s.len();
                std::hint::black_box(&l);
            }
        }
        println!("   policy {:.0} ns, {} steps", t.elapsed().as_nanos() as f64 / (20 * n) as f64, c / 20 / n);
    }
}
