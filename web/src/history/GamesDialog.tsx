// The games that were played here: how many were won, and each of them to be opened again.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { messageOf } from '../errors';
import { fileName, recordText, saveFile } from '../formats/board';
import { replaceGame } from '../formats/replace';
import { dateOf, isGoingOn, paused, type Tab, tab } from '../game/store';
import { gameOf } from '../games';
import { say } from '../live';
import { day, phrase } from '../messages';
import { sideName } from '../names';
import { levelOf } from '../play/levels';
import { reviewGame } from '../play/ResultBanner';
import { resultOf } from '../play/result';
import { Dialog } from '../ui/Dialog';
import { closeDialog } from '../ui/dialogs';
import { showBoard } from '../ui/sight';
import { forgetGames, keptGames, type PlayedGame } from './games';
import './history.css';
import { againstIn, outcomeOf, resultsIn } from './results';

/** Games that are shown at a time. */
const PAGE = 30;

export function GamesDialog() {
  const games = useMemo(() => keptGames.value.toReversed(), [keptGames.value]);
  return (
    <Dialog title={phrase('games.title')} wide>
      <div class="kept-games">
        {games.length === 0 ? (
          <p>{phrase('games.none')}</p>
        ) : (
          <>
            <Results games={games} />
            <GameList games={games} />
            <Foot games={games} />
          </>
        )}
      </div>
    </Dialog>
  );
}

function Results({ games }: { games: readonly PlayedGame[] }) {
  const rows = useMemo(() => resultsIn(games), [games]);
  if (rows.length === 0) return null;
  return (
    <table class="kept-results">
      <caption>{phrase('games.results')}</caption>
      <thead>
        <tr>
          <th scope="col">{phrase('games.game')}</th>
          <th scope="col">{phrase('games.level')}</th>
          {(['won', 'drawn', 'lost'] as const).map((key) => (
            <th key={key} scope="col" class="number">
              {phrase(`games.${key}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ variant, level, won, drawn, lost }) => (
          <tr key={`${variant} ${level}`}>
            <th scope="row">{gameOf(variant).title}</th>
            <td>{levelOf(level).title}</td>
            <td class="number">{won}</td>
            <td class="number">{gameOf(variant).draws || drawn > 0 ? drawn : '–'}</td>
            <td class="number">{lost}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function GameList({ games }: { games: readonly PlayedGame[] }) {
  const shown = useSignal(PAGE);
  const list = useRef<HTMLOListElement>(null);
  /** The place of the game that was deleted: the focus stays there. */
  const deleted = useRef<number | null>(null);
  useEffect(() => {
    const at = deleted.current;
    deleted.current = null;
    const rows = list.current?.children;
    if (at !== null) (rows?.[at] ?? rows?.[at - 1])?.querySelector('button')?.focus();
  }, [games]);
  return (
    <section aria-labelledby="kept-title">
      <h3 id="kept-title">{phrase('games.count', { count: games.length })}</h3>
      <ol class="kept-list" ref={list}>
        {games.slice(0, shown.value).map((game, at) => (
          <GameRow
            key={game.id}
            game={game}
            remove={() => {
              deleted.current = at;
              forgetGames([game]);
              say(phrase('games.deleted'));
            }}
          />
        ))}
      </ol>
      {games.length > shown.value && (
        <button type="button" onClick={() => (shown.value += PAGE)}>
          {phrase('games.more')}
        </button>
      )}
    </section>
  );
}

function GameRow({ game, remove }: { game: PlayedGame; remove: () => void }) {
  const result = resultOf(game);
  const title = titleOf(game);
  const date = day(dateOf(game.id));
  const turns = phrase('games.turns', { count: game.tip.ply });
  const button = (words: string, act: () => void, kind = '') => (
    <button type="button" class={`small ${kind}`} aria-label={`${words}: ${title}, ${date}`} onClick={act}>
      {words}
    </button>
  );
  return (
    <li data-outcome={classOf(game)}>
      <div class="kept-words">
        <strong>{title}</strong>
        <span class="soft">
          {gameOf(game.setup.variant).title} · {date} · {turns}
        </span>
        {result && <span class="soft small">{result.reason}</span>}
      </div>
      <div class="buttons">
        {isGoingOn(game) && button(phrase('games.goOn'), () => openGame(game, 'play'))}
        {button(phrase('games.analyse'), () => openGame(game, 'analyse'))}
        {button(phrase('games.review'), () => {
          openGame(game, 'review');
          reviewGame();
        })}
        {button(phrase('games.delete'), remove, 'plain danger')}
      </div>
    </li>
  );
}

/** The game stands still until somebody goes back to playing it. */
function openGame(game: PlayedGame, to: Tab): void {
  closeDialog();
  replaceGame(game);
  paused.value = to !== 'play' && isGoingOn(game);
  tab.value = to;
  showBoard();
}

/** "Won against Club player". */
function titleOf(game: PlayedGame): string {
  const [against, outcome] = [againstIn(game), outcomeOf(game)];
  if (!against) {
    if (outcome === null) return phrase('games.twoUnfinished');
    return outcome === 'draw'
      ? phrase('games.twoDrawn')
      : phrase('games.twoWon', { side: sideName[outcome] });
  }
  const level = levelOf(against.level).title;
  if (outcome === null) return phrase('games.unfinished', { level });
  if (outcome === 'draw') return phrase('games.drawnWith', { level });
  return phrase(outcome === against.person ? 'games.wonAgainst' : 'games.lostTo', { level });
}

function classOf(game: PlayedGame): string {
  const [against, outcome] = [againstIn(game), outcomeOf(game)];
  if (outcome === null) return 'open';
  if (!against || outcome === 'draw') return 'even';
  return outcome === against.person ? 'won' : 'lost';
}

/** All games as one file, and away with them. */
function Foot({ games }: { games: readonly PlayedGame[] }) {
  const note = useSignal('');
  const writing = useSignal(false);
  const asks = useSignal(false);
  const question = useRef<HTMLDivElement>(null);
  useEffect(() => question.current?.scrollIntoView({ block: 'nearest' }), [asks.value]);
  const tell = (words: string) => {
    note.value = words;
    say(words);
  };
  const saveAll = async () => {
    writing.value = true;
    try {
      const texts: string[] = [];
      for (const game of games) texts.push(await recordText(game, 'pgn', dateOf(game.id)));
      const name = fileName('pgn', 'hippolyta-games');
      saveFile(name, texts.join('\n'));
      tell(phrase('games.saved', { name }));
    } catch (error) {
      tell(messageOf(error));
    }
    writing.value = false;
  };
  return (
    <footer class="kept-foot">
      <div class="buttons">
        <button type="button" disabled={writing.value} onClick={() => void saveAll()}>
          {phrase(writing.value ? 'games.writing' : 'games.save')}
        </button>
        <button
          type="button"
          class="plain danger"
          aria-expanded={asks.value}
          onClick={() => (asks.value = !asks.value)}
        >
          {phrase('games.deleteAll')}
        </button>
        <span class="note">{note.value}</span>
      </div>
      {asks.value && (
        <div class="banner" role="alert" ref={question}>
          <p>{phrase('games.sure', { count: games.length })}</p>
          <div class="buttons">
            <button
              type="button"
              class="primary danger"
              onClick={() => {
                forgetGames(games);
                say(phrase('games.allDeleted'));
                closeDialog();
              }}
            >
              {phrase('games.deleteThem', { count: games.length })}
            </button>
            <button type="button" onClick={() => (asks.value = false)}>
              {phrase('games.keepThem')}
            </button>
          </div>
        </div>
      )}
    </footer>
  );
}
