import { signal } from '@preact/signals';

/** What a volunteer may choose; nothing needs to be. */
export interface Preferences {
  /** Code of a language; null: the phone's. */
  readonly language: string | null;
  /** Id of the camera. */
  readonly lens: string | null;
  readonly sound: boolean;
  readonly leftHand: boolean;
  /** `auto`: as the phone. */
  readonly theme: 'auto' | 'light' | 'dark';
  /** Id of the event that this phone scans without a gate, so that it is not asked again. */
  readonly noGateFor: string | null;
}

const place = 'door.preferences';
const defaults: Preferences = { language: null, lens: null, sound: true, leftHand: false, theme: 'auto', noGateFor: null };

function read(): Preferences {
  try {
    return { ...defaults, ...(JSON.parse(localStorage.getItem(place) ?? '{}') as Partial<Preferences>) };
  } catch {
    return defaults;
  }
}

export const preferences = signal<Preferences>(typeof localStorage === 'undefined' ? defaults : read());

/** Changes one preference and keeps it on this phone, where the browser lets it. */
export function setPreference<Name extends keyof Preferences>(name: Name, value: Preferences[Name]): void {
  preferences.value = { ...preferences.value, [name]: value };
  try {
    localStorage.setItem(place, JSON.stringify(preferences.value));
  } catch {
    // A private window may refuse: the choice counts until the app is closed.
  }
}
