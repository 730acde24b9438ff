// Rules of one's own in the dialog of a new game: written or pasted, and checked by the engine meanwhile.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { messageOf } from '../errors';
import { gameOf, isOwn, type VariantId } from '../games';
import { rulesIn } from '../host/own';
import { kept } from '../keptRules';
import { phrase } from '../messages';
import { gallery } from './gallery';

/** Milliseconds without a key after which the text is checked. */
const QUIET = 300;

interface OwnRulesProps {
  variant: VariantId;
  /** `null` while nobody knows whether the text makes a game. */
  choose: (variant: VariantId | null) => void;
}

export function OwnRules({ variant, choose }: OwnRulesProps) {
  const text = useSignal(isOwn(variant) ? variant : (kept.peek()[0]?.line ?? gallery[0]!.text));
  const wrong = useSignal('');
  const checked = useSignal('');
  useEffect(() => {
    const asked = text.value;
    if (asked === checked.peek()) return;
    let isLeft = false;
    choose(null);
    const timer = setTimeout(async () => {
      const [found, problem] = await check(asked);
      if (isLeft) return;
      checked.value = asked;
      wrong.value = problem;
      choose(found);
    }, QUIET);
    return () => {
      isLeft = true;
      clearTimeout(timer);
    };
  }, [text.value]);
  const known = kept.value.map((info): [string, string] => [info.line, info.title ?? info.name]);
  const examples = gallery.map((example): [string, string] => [example.text, example.title]);
  return (
    <>
      <label class="field">
        <span>{phrase('own.begin')}</span>
        <select
          name="own"
          value={[...known, ...examples].some(([begun]) => begun === text.value) ? text.value : ''}
          onChange={(event) => {
            if (event.currentTarget.value) text.value = event.currentTarget.value;
          }}
        >
          <option value="">{phrase('own.written')}</option>
          {known.map(([begun, title]) => (
            <option key={begun} value={begun}>
              {title}
            </option>
          ))}
          {examples.map(([begun, title]) => (
            <option key={begun} value={begun}>
              {phrase('own.example', { title })}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        <span>{phrase('own.rules')}</span>
        <textarea
          name="rules"
          rows={8}
          spellcheck={false}
          autocomplete="off"
          value={text.value}
          onInput={(event) => (text.value = event.currentTarget.value)}
        />
      </label>
      {wrong.value ? (
        <p class="problem small" role="alert">
          {wrong.value}
        </p>
      ) : (
        <p class="soft small rules" role="status">
          {isOwn(variant) ? gameOf(variant).rules : phrase('own.checking')}
        </p>
      )}
    </>
  );
}

/** The first rule set of a text, or what is wrong with it. */
async function check(text: string): Promise<[VariantId | null, string]> {
  try {
    const [first] = await rulesIn(text);
    return [first?.line ?? null, ''];
  } catch (error) {
    return [null, messageOf(error)];
  }
}
