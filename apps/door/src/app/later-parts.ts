import { signal } from '@preact/signals';
import type { JSX } from 'preact';
import { DoorError, type ScanResult } from '../core/types.js';
import type { Key } from '../texts/texts.js';
import type { DoorModel } from './model.js';
import type { Surroundings } from './result-words.js';
import type { ScreenOptions } from './screen-options.js';

type Screen<Options = ScreenOptions> = (options: Options) => JSX.Element | null;
type Words = (result: ScanResult, around: Surroundings) => string | null;

/**
 * What the first screen does not wait for: the other screens and the sheets, with their texts and styles. The service worker stores them
 * with the rest.
 */
export interface LaterParts {
  /** Follows the model from the moment at which the parts are there. */
  accompany(this: void, model: DoorModel): void;
  readonly laterStep: Words;
  readonly laterDetail: Words;
  /** Failures of actions that have a sentence of their own, by their codes. */
  readonly laterFailures: Readonly<Record<string, Key>>;
  readonly screens: Readonly<Record<'choosing' | 'gate' | 'kiosk' | 'locked' | 'wiped', Screen>>;
  readonly Sheets: Screen;
  readonly GroupChoice: Screen<{ readonly model: DoorModel; readonly result: ScanResult; readonly left: number }>;
  readonly PracticeTickets: Screen<Pick<ScreenOptions, 'model'>>;
  readonly UpdateNote: Screen<Pick<ScreenOptions, 'model'>>;
  /** Loads texts and styles of these parts. They are used when this settles. @throws when neither cache nor network has them */
  prepare(this: void): Promise<void>;
}

export const laterParts = signal<LaterParts | null>(null);

let load: (() => Promise<LaterParts>) | undefined;

/** Says where the parts come from. Called once, before anything needs them. */
export function setLaterParts(loader: () => Promise<LaterParts>): void {
  load = loader;
}

/** @throws DoorError `part` when neither the phone nor the network has the files */
export async function loadLaterParts(): Promise<void> {
  if (laterParts.value) return;
  try {
    const parts = await load?.();
    await parts?.prepare();
    laterParts.value = parts ?? null;
  } catch {
    throw new DoorError('part');
  }
}
