import type { Text } from './language.js';
import { currentLanguage } from './request-context.js';

/**
 * Input of a person (panel, command line) that cannot be taken as it is. `field` is the one to correct; the message says how, in the
 * language of the request and in English outside of one.
 */
export class RefusedInput extends Error {
  constructor(
    readonly field: string,
    text: Text,
  ) {
    super(text[currentLanguage()]);
  }
}
