use hippolyta::games::*;
fn main() {
    let v = variant::find("amazons").unwrap();
    let p = amazons::Amazons::from_fen(v, v.start).unwrap();
    let n: usize = std::env::args().nth(1).unwrap().parse().unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
    for d in 1..=3 {
        let t = std::time::Instant::now();
        let r = pool.install(|| perft(&p, d));
        println!("{d} {} {:?}", r.nodes, t.elapsed());
    }
}
