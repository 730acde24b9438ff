//! Evaluators of one's own behind every protocol and in matches: that of `examples/own_evaluator.rs`.

use crate::child::Engine;
use hippolyta::engine::{Evaluators, Model, Settings};
use hippolyta::eval::{Evaluation, Evaluator, Term, Value};
use hippolyta::games::MoveFireStep;
use hippolyta::games::amazons::Amazons;
use hippolyta::games::variant::Variant;
use hippolyta_lab::arena::{EngineSpec, MatchOptions, run};
use hippolyta_protocol::gtp::{self, serve_gtp};
use hippolyta_protocol::{Output, analysis};
use own_evaluator::Mobility;
use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

#[path = "../../examples/own_evaluator.rs"]
mod own_evaluator;

/// Where this is set, the test program is the example.
const IS_CHILD: &str = "HIPPOLYTA_TEST_IS_THE_EXAMPLE";
/// Its only test then.
const AS_CHILD: [&str; 4] = ["models::the_example_is_an_engine_for_the_amazons", "--exact", "--nocapture", "--quiet"];

#[test]
fn the_example_is_an_engine_for_the_amazons() {
    if std::env::var_os(IS_CHILD).is_some() {
        return own_evaluator::main().unwrap();
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    let mut engine = Engine::of(command.args(AS_CHILD).env(IS_CHILD, "yes"));
    engine.ask("uci", "uciok");
    engine.send("setoption name Hash value 1");
    // The evaluation is the example's: even, where the learned one prefers the side to move.
    let explained = engine.ask("eval\nisready", "readyok");
    assert!(explained.iter().any(|line| line.contains("mobility")), "{explained:#?}");
    engine.send("setoption name MultiPV value 3");
    let lines = engine.ask("go nodes 500", "bestmove ");
    for number in 1..=3 {
        assert!(lines.iter().any(|line| line.contains(&format!(" multipv {number} "))), "{lines:#?}");
    }
    engine.send("go infinite");
    engine.until("info depth");
    assert!(engine.ask("stop", "bestmove ").last().unwrap().contains(','));
    // Results that the rules prove are known all the same: each side has five squares of its own, and White must begin.
    engine.send("setoption name MultiPV value 1");
    let lines = engine.ask("position fen Q1*1q/2*2/2*2 w\ngo nodes 100", "bestmove ");
    assert!(lines.iter().any(|line| line.contains(" score mate -")), "{lines:#?}");
    // For other games there is no evaluator.
    engine.send("setoption name UCI_Variant value damone");
    let lines = engine.ask("go nodes 100", "bestmove ");
    assert!(lines.contains(&"info string ERROR: the model has no evaluator for damone".to_owned()), "{lines:#?}");
    assert_eq!(lines.last().unwrap(), "bestmove (none)");
    engine.send("quit");
    engine.end();
}

#[test]
fn the_example_plays_a_match() {
    let (program, arguments) = (std::env::current_exe().unwrap(), AS_CHILD.map(|argument| format!("arg={argument}")));
    let mut command = Command::new(env!("CARGO_BIN_EXE_hippolyta"));
    command.args(["match", "--engine", &format!("cmd={}", program.display()), "name=mobility"]).args(arguments);
    command.args(["--engine", "cmd=self", "name=learned", "--each", "nodes=60", "option.Hash=1"]);
    command.args(["--variant", "amazons6", "--games", "2", "--book-plies", "0"]).env(IS_CHILD, "yes");
    let output = command.stdin(Stdio::null()).output().unwrap();
    let [said, errors] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(output.status.success(), "{said}{errors}");
    assert!(said.contains("mobility") && !said.contains("fault"), "{said}{errors}");
}

/// The output of the engine.
#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl Written {
    fn lines(&self) -> Vec<String> {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap().lines().map(str::to_owned).collect()
    }
}

impl Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn json_lines_are_answered_by_an_evaluator_of_ones_own() {
    let answers = |model: Model| {
        let (written, options) = (Written::default(), analysis::Options { hash: 1, model, ..Default::default() });
        let queries = "{\"id\":\"a\",\"variant\":\"amazons6\",\"nodes\":200}\n\
                       {\"id\":\"b\",\"variant\":\"damone\",\"nodes\":200}\n";
        analysis::serve(queries.as_bytes(), &Output::new(written.clone()), &options).unwrap();
        written.lines()
    };
    let (own, learned) = (answers(Model::own(Mobility)), answers(Model::default()));
    assert_eq!((own.len(), learned.len()), (2, 2));
    assert!(own[0].contains("\"moveInfos\"") && own[0] != learned[0], "{}", own[0]);
    assert!(own[1].contains("the model has no evaluator for damone"), "{}", own[1]);
}

#[test]
fn gtp_plays_by_an_evaluator_of_ones_own() {
    let settings = Settings { hash: 1, ..Settings::default() };
    let (calls, written) = (Arc::default(), Written::default());
    let model = Model::own(Counted(Arc::clone(&calls)));
    let options = gtp::Options { model, settings, nodes: Some(50), ..Default::default() };
    serve_gtp(&b"genmove w\nquit\n"[..], &Output::new(written.clone()), options).unwrap();
    assert!(written.lines()[0].starts_with("= ") && calls.load(Relaxed) > 0, "{:?}", written.lines());
}

/// The example's evaluator, and how often it was asked.
#[derive(Clone, Debug)]
struct Counted(Arc<AtomicU64>);

impl Evaluator<Amazons> for Counted {
    fn evaluate(&self, position: &Amazons) -> Evaluation {
        self.0.fetch_add(1, Relaxed);
        Mobility.evaluate(position)
    }
    fn policy(&self, position: &Amazons, steps: &[MoveFireStep], logits: &mut [f32]) {
        Mobility.policy(position, steps, logits);
    }
    fn explain(&self, position: &Amazons) -> (Value, Vec<Term>) {
        Mobility.explain(position)
    }
    fn identity(&self) -> Vec<u8> {
        Mobility.identity()
    }
}

impl Evaluators for Counted {
    fn amazons(&self, _: &Variant) -> Option<Box<dyn Evaluator<Amazons>>> {
        Some(Box::new(self.clone()))
    }
}

#[test]
fn an_engine_of_this_process_plays_by_the_model_that_it_is_given() {
    let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let each = words("cmd=self nodes=40 option.Hash=1");
    let engines = ["name=mobility", "name=learned"].map(|name| EngineSpec::parse(&each, &words(name)).unwrap());
    let options = MatchOptions {
        engines: engines.to_vec(),
        variant: hippolyta::games::variant::find("amazons6").unwrap(),
        book_plies: 0,
        ..MatchOptions::default()
    };
    let mut setup = options.setup(Arc::default()).unwrap();
    let calls = Arc::default();
    setup.models.insert("mobility".to_owned(), Model::own(Counted(Arc::clone(&calls))));
    let results = run(&setup, None, &mut |_| ()).unwrap();
    assert_eq!(results.games(), 2);
    // Some forty positions a turn, and a dozen turns in each game.
    assert!(calls.load(Relaxed) > 400, "{calls:?}");
}
