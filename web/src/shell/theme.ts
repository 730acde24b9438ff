// The theme, the colours of the board and whether things move, where the style sheets look for them.
import { effect } from '@preact/signals';
import { settings } from '../settings';

effect(() => {
  const { theme, board, animation } = settings.value;
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
  dataset.animation = animation ? 'on' : 'off';
  document.body.dataset.board = board;
});
