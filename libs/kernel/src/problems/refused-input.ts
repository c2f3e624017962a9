import { forEachLanguage, type Text } from '../locales/language.js';
import { texts } from '../locales/kernel.texts.js';
import { currentLanguage } from '../context/request-context.js';

/**
 * Input of a person (panel, command line) that is not valid. `field` is the one to correct; the message says how, in the language of the
 * request or in English outside of a request.
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

  /** Each invalid field: this one, or those of RefusedInputs. */
  get faults(): readonly RefusedInput[] {
    return [this];
  }

  /** The same error for another field. */
  at(field: string): RefusedInput {
    return new RefusedInput(
      field,
      forEachLanguage(() => this.message),
    );
  }

  /** The same error for a part of a larger input: `prices/0` and `name` make `prices/0/name`. */
  within(part: string): RefusedInput {
    return this.at(`${part}/${this.field}`);
  }
}

/** Several invalid fields, reported together. It extends RefusedInput as its first fault. */
export class RefusedInputs extends RefusedInput {
  /** @param several at least one */
  constructor(private readonly several: readonly RefusedInput[]) {
    const { field, message } = several[0] as RefusedInput;
    super(
      field,
      forEachLanguage(() => message),
    );
  }

  override get faults(): readonly RefusedInput[] {
    return this.several;
  }

  override within(part: string): RefusedInputs {
    return new RefusedInputs(this.several.map((fault) => fault.within(part)));
  }
}

/** What a check refuses, as a list instead of an error. @throws other errors */
export function refusalsOf(check: () => void): readonly RefusedInput[] {
  try {
    check();
    return [];
  } catch (error) {
    if (error instanceof RefusedInput) return error.faults;
    throw error;
  }
}

/** An id in the input does not exist or cannot be used there. */
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
 * Accepts whole numbers from `least` to a million, and null or undefined (no limit).
 * @throws RefusedInput on `field`
 */
export function refuseUnlessWhole(field: string, value: number | null | undefined, least: number): void {
  if (value === null || value === undefined) return;
  if (Number.isInteger(value) && value >= least && value <= 1_000_000) return;
  throw new RefusedInput(field, texts.localized('refusedInput.notWholeNumber', { least }));
}
