// The page of problems: one of them open, below it which ones there are.
import { useEffect, useRef } from 'preact/hooks';
import '../learn/learn.css';
import type { VariantId } from '../games';
import { phrase } from '../messages';
import { DAILY, daysInARow, foundToday } from './daily';
import { OWN, own } from './own';
import { ProblemView } from './ProblemView';
import './problems.css';
import {
  band,
  choice,
  forgetOwn,
  forgetSolved,
  group,
  groups,
  open,
  openGroup,
  openProblem,
  problem,
  solved,
  theme,
} from './progress';
import { RatingCard } from './RatingCard';
import { forgetRating, solvers } from './rating';
import { type BandId, bandOf, bands, bandTitle, suite, type ThemeId, themes } from './suite';

export function ProblemsPage() {
  useEffect(() => void suite.load(), []);
  if (suite.failure.value)
    return (
      <div class="problems-missing">
        <h1>{phrase('tab.problems')}</h1>
        <p>{phrase('problems.notShown', { reason: suite.failure.value })}</p>
        <button type="button" class="primary" onClick={() => void suite.load()}>
          {phrase('learn.again')}
        </button>
      </div>
    );
  const at = problem.value;
  if (!at)
    return (
      <div class="problems-missing">
        <h1>{phrase('tab.problems')}</h1>
        <p role="status">{phrase('problems.onTheWay')}</p>
      </div>
    );
  return (
    <div class="learn">
      <h1 class="visually-hidden">{phrase('tab.problems')}</h1>
      <ProblemView key={at.id} problem={at} />
      <Contents variant={at.variant} />
    </div>
  );
}

function Contents({ variant }: { variant: VariantId }) {
  const list = useRef<HTMLOListElement>(null);
  const at = problem.value?.id;
  // The list scrolls by itself, the page stays.
  useEffect(() => {
    const number = list.current?.querySelector<HTMLElement>(`[data-id="${at}"]`);
    if (!list.current || !number) return;
    const top = number.offsetTop - list.current.offsetTop;
    if (top < list.current.scrollTop || top + 48 > list.current.scrollTop + list.current.clientHeight)
      list.current.scrollTop = top - list.current.clientHeight / 2;
  }, [at]);
  const here = group.value;
  const isOwn = here?.id === OWN;
  const chosen = choice.value;
  const done = chosen.filter(({ id }) => solved.value.has(id)).length;
  const count = (wanted: BandId) =>
    here?.problems.filter((problem) => bandOf(problem).id === wanted).length ?? 0;
  return (
    <nav class="learn-contents problems-contents" aria-label={phrase('tab.problems')}>
      <p class="about">{phrase(isOwn ? 'mine.about' : 'problems.about')}</p>
      <Daily />
      {!isOwn && <RatingCard variant={variant} />}
      <div class="problem-choices">
        <label>
          {phrase('new.ruleSet')}
          <select value={here?.id} onChange={(event) => openGroup(event.currentTarget.value)}>
            {groups.value.map(({ id, title, problems }) => (
              <option key={id} value={id}>
                {phrase('problems.option', { title, count: problems.length })}
              </option>
            ))}
          </select>
        </label>
        {!isOwn && (
          <label>
            {phrase('problems.difficulty')}
            <select
              value={band.value}
              onChange={(event) => {
                band.value = event.currentTarget.value as BandId | 'all';
                if (here) openGroup(here.id);
              }}
            >
              <option value="all">{phrase('problems.all')}</option>
              {bands
                .filter(({ id }) => count(id) > 0)
                .map(({ id }) => (
                  <option key={id} value={id}>
                    {phrase('problems.option', { title: bandTitle(id), count: count(id) })}
                  </option>
                ))}
            </select>
          </label>
        )}
        <Theme />
      </div>
      <ol class="problem-numbers" ref={list}>
        {chosen.map((each) => {
          const number = Number(each.id.slice(each.id.lastIndexOf('-') + 1));
          const isSolved = solved.value.has(each.id);
          return (
            <li key={each.id}>
              <button
                type="button"
                class={isSolved ? 'problem-number solved' : 'problem-number'}
                data-id={each.id}
                aria-current={each.id === at ? 'step' : undefined}
                aria-label={phrase(isSolved ? 'problems.labelSolved' : 'problems.label', {
                  number,
                  band: each.mistake
                    ? phrase(`kind.name.${each.mistake.kind}`)
                    : bandTitle(bandOf(each).id).toLowerCase(),
                })}
                onClick={() => (open.value = each.id)}
              >
                {number}
              </button>
            </li>
          );
        })}
      </ol>
      <p class="learn-progress">
        {phrase('problems.progress', { done, total: chosen.length })}{' '}
        {solved.value.size > 0 && (
          <button type="button" class="plain small" onClick={forgetSolved}>
            {phrase('learn.forget')}
          </button>
        )}
        {isOwn && (
          <button type="button" class="plain small" onClick={() => forgetOwn(own.peek())}>
            {phrase('mine.removeAll')}
          </button>
        )}
        {!isOwn && solvers.value[variant] && (
          <button type="button" class="plain small" onClick={() => forgetRating(variant)}>
            {phrase('rating.forget')}
          </button>
        )}
      </p>
    </nav>
  );
}

function Theme() {
  const here = group.value;
  const count = (wanted: ThemeId) =>
    here?.problems.filter(({ themes: own }) => own.includes(wanted)).length ?? 0;
  const offered = themes.filter((id) => count(id) > 0);
  if (offered.length === 0) return null;
  return (
    <label>
      {phrase('theme.title')}
      <select
        value={offered.find((id) => id === theme.value) ?? 'all'}
        onChange={(event) => {
          theme.value = event.currentTarget.value as ThemeId | 'all';
          if (here) openGroup(here.id);
        }}
      >
        <option value="all">{phrase('theme.all')}</option>
        {offered.map((id) => (
          <option key={id} value={id}>
            {phrase(`theme.${id}`)} ({count(id)})
          </option>
        ))}
      </select>
    </label>
  );
}

function Daily() {
  const days = daysInARow.value;
  return (
    <p class="daily">
      <button
        type="button"
        aria-current={open.value === DAILY ? 'page' : undefined}
        onClick={() => openProblem(DAILY)}
      >
        {phrase('daily.title')}
      </button>
      {foundToday.value && <span class="daily-found">✓ {phrase('daily.found')}</span>}
      {days > 0 && <span>{phrase('daily.streak', { count: days })}</span>}
    </p>
  );
}
