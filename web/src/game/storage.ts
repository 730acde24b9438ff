// localStorage under one prefix and version. Damaged data is set aside under another key, so that it stops nobody
// and nothing is thrown away; a browser without storage (private windows, full quota) only forgets.

const PREFIX = 'hippolyta.v1.';

/** What `read` makes of the stored value; `null` if there is none or it is damaged. */
export function load<T>(key: string, read: (value: unknown) => T): T | null {
  let text: string | null = null;
  try {
    text = localStorage.getItem(PREFIX + key);
    return text === null ? null : read(JSON.parse(text));
  } catch (error) {
    console.warn(`${key} is damaged and set aside`, error);
    try {
      if (text !== null) localStorage.setItem(`${PREFIX}damaged.${key}`, text);
      localStorage.removeItem(PREFIX + key);
    } catch {
      // Nothing more can be done.
    }
    return null;
  }
}

export function store(key: string, value: unknown): void {
  try {
    localStorage.setItem(PREFIX + key, JSON.stringify(value));
  } catch (error) {
    console.warn(`${key} could not be kept`, error);
  }
}
