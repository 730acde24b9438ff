// A few options side by side: radio buttons that look like one control.
import type { Signal } from '@preact/signals';

interface ChoiceProps<T extends string> {
  legend: string;
  name: string;
  value: Signal<T>;
  options: readonly (readonly [T, string])[];
}

export function Choice<T extends string>({ legend, name, value, options }: ChoiceProps<T>) {
  return (
    <fieldset class="field">
      <legend>{legend}</legend>
      <div class="choices">
        {options.map(([id, title]) => (
          <label key={id}>
            <input
              type="radio"
              name={name}
              value={id}
              checked={value.value === id}
              onChange={() => {
                value.value = id;
              }}
            />
            {title}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
