// Counts, which are no estimates: regions of the Amazons, stones of the Desdemona family.
import { effect, signal } from '@preact/signals';
import { game, view } from '../game/store';
import { number, phrase } from '../messages';
import { sideName } from '../names';
import type { RegionInfo, Side, StoneCount, Stones, Territory } from '../protocol';
import { findings } from './analyser';
import { isNarrowed, leadWords, marginWords, ownerOf, range, stonesWords, worthText } from './marks';
import { pointed } from './overlay';
import { SquaresLink } from './SquaresLink';

/** More regions than this are folded away. */
const OPEN = 8;
const unfolded = signal(false);

export function Counts() {
  const { survey } = findings.value;
  if (!survey) return null;
  const { territory, stones, rootInfo, lead } = survey;
  if (territory) return <Regions territory={territory} lead={lead} mover={rootInfo.currentPlayer} />;
  if (stones) return <StoneTable stones={stones} mover={rootInfo.currentPlayer} />;
  return null;
}

// A region of another position means nothing on this one.
effect(() => {
  findings.value;
  pointed.value = null;
});

interface RegionsProps {
  territory: Territory;
  lead: number | undefined;
  mover: Side;
}

function Regions({ territory, lead, mover }: RegionsProps) {
  const { regions, margin, winner, turnsLeft } = territory;
  const occupied = view.value.pieces;
  // Regions of a few squares without an amazon on them say nothing.
  const told = regions.filter((region) => region.empty > 0).sort((a, b) => b.empty - a.empty);
  if (told.length === 0) return null;
  // Where the turns decide the game there is something to count, though no arrow closes anything off.
  const undivided = regions.length === 1 && regions[0]?.owner === 'contested' && !winner;
  const list = unfolded.value ? told : told.slice(0, OPEN);
  return (
    <section class="counts" aria-label={phrase('counts.territory')}>
      <h3>{phrase('counts.territory')}</h3>
      {undivided ? (
        <p class="quiet">
          {phrase('counts.open')}
          {lead !== undefined && ` ${leadWords(lead, mover)}`}
        </p>
      ) : (
        <>
          <p>
            {margin === null
              ? phrase('counts.notSettled')
              : phrase('counts.counted', { margin: marginWords(margin, mover) })}
            {margin === null && lead !== undefined && ` ${leadWords(lead, mover)}`}
            {winner && <strong> {phrase('counts.certain', { side: sideName[winner] })}</strong>}
          </p>
          <div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">{phrase('counts.region')}</th>
                  <th scope="col">{phrase('counts.whose')}</th>
                  <th scope="col" class="number">
                    {phrase('counts.empty')}
                  </th>
                  <th scope="col" class="number">
                    {phrase('counts.turns')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {list.map((region) => (
                  <tr key={region.squares[0]}>
                    <th scope="row">
                      <SquaresLink squares={region.squares} owner={ownerOf(region.owner)}>
                        {nameOf(region, occupied)}
                      </SquaresLink>
                    </th>
                    <td>
                      <span class={`side-sign ${region.owner}`} aria-hidden="true" />
                      {region.owner === 'contested' ? phrase('counts.contested') : sideName[region.owner]}
                    </td>
                    <td class="number">{region.empty}</td>
                    <td class="number">{turnsText(region)}</td>
                  </tr>
                ))}
              </tbody>
              <tfoot>
                <tr>
                  <th scope="row" colSpan={2}>
                    {phrase('counts.left')}
                  </th>
                  <td colSpan={2} class="number">
                    {phrase('counts.bothLeft', {
                      white: range(turnsLeft.white),
                      black: range(turnsLeft.black),
                    })}
                  </td>
                </tr>
              </tfoot>
            </table>
          </div>
          {told.length > OPEN && (
            <button type="button" class="link" onClick={() => (unfolded.value = !unfolded.value)}>
              {unfolded.value ? phrase('counts.fewer') : phrase('counts.all', { count: told.length })}
            </button>
          )}
        </>
      )}
    </section>
  );
}

/** By its amazons, which people look for, else by its lowest square. */
function nameOf(region: RegionInfo, occupied: ReadonlyMap<string, string>): string {
  const amazons = region.squares.filter((square) => occupied.has(square));
  if (amazons.length > 0) return phrase('counts.of', { squares: amazons.join(', ') });
  return phrase('counts.at', { square: region.squares[0] ?? '' });
}

function turnsText(region: RegionInfo): string {
  if (region.owner === 'contested' && !isNarrowed(region)) return phrase('counts.undecided');
  if (region.owner === 'contested') return phrase('counts.worthWhite', { worth: worthText(region) });
  return range(region.turns[region.owner]);
}

function StoneTable({ stones, mover }: { stones: Stones; mover: Side }) {
  const rows: (keyof StoneCount)[] = ['white', 'black'];
  if (stones.now.neutral > 0 || stones.final.neutral > 0) rows.push('neutral');
  return (
    <section class="counts" aria-label={phrase('counts.stones')}>
      <h3>{phrase('counts.stones')}</h3>
      <p>{stonesWords(stones, mover)}</p>
      <table>
        <thead>
          <tr>
            <td />
            <th scope="col" class="number">
              {phrase('counts.now')}
            </th>
            <th scope="col" class="number">
              {phrase('counts.final')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((key) => (
            <tr key={key}>
              <th scope="row">
                <span class={`side-sign ${key}`} aria-hidden="true" />
                {key === 'neutral' ? phrase('counts.neutral') : sideName[key]}
              </th>
              <td class="number">{stones.now[key]}</td>
              <td class="number">{number(stones.final[key], 1)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet">{phrase('counts.mean', { game: game.value.title })}</p>
    </section>
  );
}
