import type { OfferedOption } from '#tickets';
import { refusalsOf, RefusedInput, type Text } from '#kernel';
import { texts } from '../locales/selling.texts.js';
import type { Rule } from './sale.js';

/**
 * The options that a buyer chose, each once, in the order in which they are offered.
 * @param offered the options that the offer found by UUID or name
 * @param wanted UUIDs or names of published options of the event
 * @throws RefusedInput on `options`
 */
export function chosenOptions(offered: readonly OfferedOption[], wanted: readonly string[]): OfferedOption[] {
  const chosen = new Set(wanted.map((text) => optionOf(offered, text)));
  const found = offered.filter((option) => chosen.has(option));
  if (found.filter(({ kind }) => kind === 'radio').length > 1) throw refused(onlyOne);
  return found;
}

/** Finds an option by UUID or name. A name is ambiguous when a radio and a checkbox option share it. */
function optionOf(offered: readonly OfferedOption[], text: string): OfferedOption {
  const byId = offered.find(({ id }) => id === text.toLowerCase());
  if (byId) return byId;
  const [named, another] = offered.filter(({ name }) => name === text);
  if (!named) throw refused(unknown);
  if (another) throw refused(ambiguous);
  return named;
}

/** The options exist, are named without doubt, and at most one of those of which one may be chosen. */
export const options: Rule = {
  name: 'options',
  refuse: ({ offer, options: wanted }) => refusalsOf(() => chosenOptions(offer.options, wanted)),
};

const refused = (text: Text): RefusedInput => new RefusedInput('options', text);

const unknown: Text = texts.localized('chosenOptions.unknown');
const ambiguous: Text = texts.localized('chosenOptions.ambiguous');
const onlyOne: Text = texts.localized('chosenOptions.onlyOne');
