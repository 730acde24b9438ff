// Radio buttons in a row.
import type { ComponentChildren } from 'preact';

interface ChoicesProps<T extends string> {
  legend: string;
  name: string;
  value: T;
  options: readonly (readonly [T, ComponentChildren])[];
  choose: (value: T) => void;
}

export function Choices<T extends string>({ legend, name, value, options, choose }: ChoicesProps<T>) {
  return (
    <fieldset class="field">
      <legend>{legend}</legend>
      <div class="choices">
        {options.map(([id, title]) => (
          <label key={id}>
            <input type="radio" name={name} value={id} checked={id === value} onChange={() => choose(id)} />
            {title}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
