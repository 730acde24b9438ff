// The language of the page: the one chosen in the settings, or else the first that the browser is set to.
import { effect } from '@preact/signals';
import { language } from '../messages';
import { preferred } from '../messages/languages';
import { speak } from '../messages/speak';
import { settings } from '../settings';

const inForce = () => {
  const { language: chosen } = settings.value;
  return chosen === 'browser' ? preferred(navigator.languages) : chosen;
};

/** Ends when the page can be drawn in its first language. */
export function keepLanguage(): Promise<void> {
  let begun = Promise.resolve();
  effect(() => {
    begun = speak(inForce());
  });
  effect(() => {
    document.documentElement.lang = language.value;
  });
  return begun;
}
