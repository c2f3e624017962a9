import type { Text } from '../text/language.js';
import { currentLanguage } from '../context/request-context.js';

/**
 * Input of a person (panel, command line) that cannot be taken as it is. `field` is the one to correct; the message says how, in the
 * language of the request and in English outside of one.
 */
export class RefusedInput extends Error {
  /** Names the fault for programs. */
  readonly code: string = 'refused';

  constructor(
    readonly field: string,
    text: Text,
  ) {
    super(text[currentLanguage()]);
  }

  /** The same refusal of a part of a larger input: `prices/0` and `name` make `prices/0/name`. */
  within(part: string): RefusedInput {
    return new RefusedInput(`${part}/${this.field}`, { en: this.message, fr: this.message });
  }
}

/** Several parts of an input that cannot be taken, told at once. Where one refusal is expected it stands for the first. */
export class RefusedInputs extends RefusedInput {
  /** @param faults one at least */
  constructor(readonly faults: readonly RefusedInput[]) {
    const { field, message } = faults[0] as RefusedInput;
    super(field, { en: message, fr: message });
  }

  override within(part: string): RefusedInputs {
    return new RefusedInputs(this.faults.map((fault) => fault.within(part)));
  }
}

/** What an input names is not there, or cannot be used for it. */
export class UnknownIds extends RefusedInput {
  constructor(
    field: string,
    readonly ids: readonly string[],
    text: Text,
  ) {
    super(field, text);
  }
}

/**
 * Lets whole numbers from `least` to a million pass, and nothing at all (no limit).
 * @throws RefusedInput on `field`
 */
export function refuseUnlessWhole(field: string, value: number | null | undefined, least: number): void {
  if (value === null || value === undefined) return;
  if (Number.isInteger(value) && value >= least && value <= 1_000_000) return;
  throw new RefusedInput(field, {
    en: `Write a whole number from ${least} to 1,000,000, or leave it empty.`,
    fr: `Écrivez un nombre entier de ${least} à 1 000 000, ou laissez vide.`,
  });
}
