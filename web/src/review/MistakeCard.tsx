// The mistake looked at: what was played, what was tried instead, and the answer once it is asked for.
import { useEffect, useRef } from 'preact/hooks';
import { pointed } from '../analysis/overlay';
import { SquaresLink } from '../analysis/SquaresLink';
import { numberOf } from '../game/numbers';
import { ShortTurn } from '../game/ShortTurn';
import { article, points, valueFor } from '../game/verdicts';
import { phrase, phraseParts } from '../messages';
import { sideName } from '../names';
import { showBoard } from '../ui/sight';
import { Ends } from './Ends';
import { reasonWords } from './reasons';
import type { TurnVerdict } from './review';
import {
  type Attempt,
  again,
  leaveTrial,
  playAnswer,
  playRefutation,
  showAnswer,
  step,
  trial,
} from './trial';

export function MistakeCard() {
  const now = trial.value;
  const asked = now?.mistake.node;
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!asked) return;
    // The card stands at the head of the panel, the list of mistakes far down. On a phone the board matters more.
    card.current?.scrollIntoView({ block: 'nearest' });
    showBoard();
  }, [asked]);
  if (!now) return null;
  const { mistake, attempt, shown } = now;
  const side = sideName[mistake.side];
  const best = mistake.before.line[0];
  return (
    <section ref={card} class="card" data-ply={mistake.ply} aria-label={phrase('trial.title')}>
      <header>
        <h2>{phrase('trial.title')}</h2>
        <button type="button" class="icon" aria-label={phrase('trial.leave')} onClick={leaveTrial}>
          ✕
        </button>
      </header>
      <p>
        {phraseParts('trial.played', {
          side,
          turn: <ShortTurn bold key="turn" turn={mistake.node.turn} />,
          number: numberOf(mistake.node),
          what: article(mistake.kind),
          loss: points(mistake.loss),
        })}{' '}
        {!attempt && !shown && phrase('trial.find', { side })}
      </p>
      {attempt && (
        <p class={`attempt ${verdictClass(attempt)}`}>
          <ShortTurn bold turn={attempt.turn.text} />{' '}
          {attempt.words ?? <span class="quiet">{phrase('trial.looking')}</span>}
        </p>
      )}
      {shown && best !== undefined && (
        <div class="answer">
          <p>
            {phraseParts('trial.best', {
              turn: <ShortTurn bold key="turn" turn={best.text} />,
              value: valueFor(mistake.side, mistake.withBest),
              side,
            })}{' '}
            <span class="quiet">
              {phrase('trial.inGame', { value: valueFor(mistake.side, mistake.after) })}
            </span>
          </p>
          <Reasons of={mistake} />
          <Ends of={mistake} />
        </div>
      )}
      <div class="controls">
        {attempt && !shown && (
          <button type="button" onClick={again}>
            {phrase('trial.another')}
          </button>
        )}
        {shown ? (
          <>
            <button type="button" onClick={playAnswer}>
              {phrase('trial.goesOn')}
            </button>
            {mistake.after.line.length > 0 && (
              <button type="button" onClick={playRefutation}>
                {phrase('trial.refutation')}
              </button>
            )}
          </>
        ) : (
          <button type="button" onClick={showAnswer}>
            {phrase('trial.answer')}
          </button>
        )}
      </div>
      <div class="controls">
        <button type="button" onClick={() => step(-1)}>
          {phrase('mistakes.previous')}
        </button>
        <button type="button" class="primary" onClick={() => step(1)}>
          {phrase('mistakes.next')}
        </button>
      </div>
    </section>
  );
}

/** Why the turn was a mistake; the squares that a sentence speaks of are shown on the board. */
function Reasons({ of }: { of: TurnVerdict }) {
  const { reasons = [], side } = of;
  useEffect(
    () => () => {
      pointed.value = null;
    },
    [of],
  );
  if (reasons.length === 0) return null;
  return (
    <ul class="reasons">
      {reasons.map((reason) => {
        const words = reasonWords(reason, side);
        const { squares } = reason;
        return (
          <li key={reason.text}>
            {squares.length > 0 ? <SquaresLink squares={squares}>{words}</SquaresLink> : words}
          </li>
        );
      })}
    </ul>
  );
}

function verdictClass({ words, verdict }: Attempt): string {
  if (words === null) return 'waiting';
  return verdict?.kind ? 'bad' : 'good';
}
