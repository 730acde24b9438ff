// Numbers, dates and lists as the language of the page writes them.
import { spoken } from './catalogue';

/** A number with `digits` digits after the comma; without `digits` with those that it has, three at most. */
export function number(value: number, digits?: number): string {
  const rule = digits === undefined ? {} : { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(spoken.value.forms, rule).format(value);
}

/** A share from 0 to 1. */
export function percent(share: number, digits = 0): string {
  const rule = { style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(spoken.value.forms, rule).format(share);
}

export function day(date: Date): string {
  return new Intl.DateTimeFormat(spoken.value.forms, { dateStyle: 'medium' }).format(date);
}

/** "a, b and c". */
export function list(items: readonly string[]): string {
  return new Intl.ListFormat(spoken.value.forms, { style: 'long', type: 'conjunction' }).format(items);
}
