import { emailKey } from '#tickets';
import { isEmail, isVisible, RefusedInput, RefusedInputs } from '#kernel';
import { cardStates, type CardState } from './card.entity.js';
import { parseTag } from './card-tag.js';
import { texts } from './locales/cards.texts.js';

/** A card as people type it. Empty texts mean no value. */
export interface TypedCard {
  readonly tag: string;
  readonly number?: string | null;
  readonly ownerEmail?: string | null;
}

/** The column values of a validated card. */
export interface CheckedCard {
  readonly tag: string;
  readonly number: string | null;
  readonly ownerEmail: string | null;
  readonly ownerKey: string | null;
}

export const longestNumber = 32;

const isPlain = /^[\p{L}\p{N}][\p{L}\p{N} .\-/]*$/u;

export const cardFaults = {
  tag: texts.localized('cardRules.tag'),
  number: texts.localized('cardRules.number', { longestNumber }),
  ownerEmail: texts.localized('cardRules.ownerEmail'),
  state: texts.localized('cardRules.state'),
  tagTaken: texts.localized('cardRules.tagTaken'),
  numberTaken: texts.localized('cardRules.numberTaken'),
  originTenantId: texts.localized('cardRules.originTenantId'),
} as const;

/** Validates a card. @returns its column values and all faults */
export function checkCard({ tag, number, ownerEmail }: TypedCard): { card: CheckedCard; faults: RefusedInput[] } {
  const parsed = parseTag(tag);
  const printed = number?.trim() || null;
  const email = ownerEmail?.trim() || null;
  const faults = [
    parsed === undefined && new RefusedInput('tag', cardFaults.tag),
    printed !== null &&
      !(printed.length <= longestNumber && isVisible(printed) && isPlain.test(printed)) &&
      new RefusedInput('number', cardFaults.number),
    email !== null && !isEmail(email) && new RefusedInput('ownerEmail', cardFaults.ownerEmail),
  ].filter((fault) => fault !== false);
  const ownerKey = email !== null && email.length <= 254 ? emailKey(email) : null;
  return { card: { tag: parsed ?? '', number: printed, ownerEmail: email, ownerKey }, faults };
}

/** Validates a card. @throws RefusedInputs with all faults */
export function checkedCard(typed: TypedCard): CheckedCard {
  const { card, faults } = checkCard(typed);
  if (faults.length > 0) throw new RefusedInputs(faults);
  return card;
}

/** Parses a state. @param text `active`, or the label in a list of any language @returns undefined when it is no state */
export function parseState(text: string): CardState | undefined {
  const word = text.trim().toLowerCase();
  return (Object.keys(cardStates) as CardState[]).find(
    (state) => state === word || Object.values(cardStates[state]).some((label) => label.toLowerCase() === word),
  );
}
