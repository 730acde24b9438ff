// Problems from the mistakes of a review: the positions before them, to be solved until a better turn is found.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { messageOf } from '../errors';
import { match, positionOf, tab } from '../game/store';
import { session } from '../host';
import { say } from '../live';
import { phrase } from '../messages';
import { addOwn } from '../problems/own';
import { openProblem } from '../problems/progress';
import type { Problem, Tree } from '../problems/suite';
import type { Turn } from '../turns';
import type { TurnVerdict } from './review';

/** An inaccuracy is within the error of a search: nobody could say what is right in its place. */
function isClear({ kind, side, before }: TurnVerdict): boolean {
  const isPersons = match.value.setup.players[side].kind === 'human';
  return isPersons && kind !== undefined && kind !== 'inaccuracy' && before.line.length > 0;
}

/** A line as a tree without branches. */
function treeOf(line: readonly Turn[]): Tree {
  return line.reduceRight<Tree>((below, { text }) => ({ [text]: below }), {});
}

async function problemOf({
  node,
  side,
  loss,
  kind,
  before,
  after,
}: TurnVerdict): Promise<Omit<Problem, 'id'>> {
  const { variant, ...position } = positionOf(node.parent!);
  const { fen, moves } = await session.ask({ action: 'legal_moves', variant, ...position });
  const line = [before.line[0]!, ...(before.afterBest?.line ?? before.line.slice(1))];
  return {
    variant: match.peek().setup.variant,
    fen,
    side,
    turn: line[0]!.text,
    legal: moves.length,
    elo: null,
    themes: [],
    solution: treeOf(line),
    wrong: { [node.turn]: treeOf(after.line.slice(0, 1)) },
    mistake: { turn: node.turn, loss, kind: kind!, before },
  };
}

export function MakeProblems({ of }: { of: readonly TurnVerdict[] }) {
  const made = useSignal<{ first: string; words: string } | null>(null);
  const clear = of.filter(isClear);
  const game = match.value;
  useEffect(() => {
    made.value = null;
  }, [game, clear.length]);
  if (clear.length === 0) return null;
  const make = async () => {
    try {
      const { problems, added } = addOwn(await Promise.all(clear.map(problemOf)));
      const words = added > 0 ? phrase('mine.made', { count: added }) : phrase('mine.known');
      made.value = { first: problems[0]!.id, words };
      say(words);
    } catch (error) {
      made.value = { first: '', words: messageOf(error) };
    }
  };
  const { first, words } = made.value ?? {};
  return (
    <p>
      {words}{' '}
      {first ? (
        <button
          type="button"
          class="primary small"
          onClick={() => {
            openProblem(first);
            tab.value = 'problems';
          }}
        >
          {phrase('mine.solve')}
        </button>
      ) : (
        <button type="button" class="small" onClick={() => void make()}>
          {phrase('mine.make', { count: clear.length })}
        </button>
      )}
    </p>
  );
}
