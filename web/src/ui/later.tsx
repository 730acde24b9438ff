// Parts of the page that are fetched when they are wanted first, so that the board is there sooner.
import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { messageOf } from '../errors';

export function later(load: () => Promise<ComponentType>): ComponentType {
  let known: ComponentType | undefined;
  return function Later() {
    const failure = useSignal('');
    const isThere = useSignal(known !== undefined);
    useEffect(() => {
      load()
        .then((part) => {
          known = part;
          isThere.value = true;
        })
        .catch((error: unknown) => {
          failure.value = messageOf(error);
        });
    }, []);
    const Part = isThere.value && known;
    if (Part) return <Part />;
    return failure.value ? (
      <p class="problem" role="alert">
        {failure.value}
      </p>
    ) : null;
  };
}
