import { signal } from '@preact/signals';

/** Charge in percent; null where the browser does not tell. */
export const battery = signal<{ readonly percent: number; readonly charging: boolean } | null>(null);

/** Below this charge the app shows a word. */
export const lowBattery = 20;
