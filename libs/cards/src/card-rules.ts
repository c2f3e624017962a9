import { emailKey } from '#booking';
import { isEmail, isVisible, RefusedInput, RefusedInputs } from '#kernel';
import { cardStates, type CardState } from './card.entity.js';
import { parseTag } from './card-tag.js';

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
  tag: {
    en: 'A tag is the UID of the card: 4, 7 or 10 bytes in hexadecimal digits, such as 04A22F1B445E80.',
    fr: "L'identifiant est l'UID de la carte : 4, 7 ou 10 octets en chiffres hexadécimaux, par exemple 04A22F1B445E80.",
  },
  number: {
    en: `The printed number has at most ${longestNumber} letters and digits.`,
    fr: `Le numéro imprimé a au plus ${longestNumber} lettres et chiffres.`,
  },
  ownerEmail: { en: 'This is not an e-mail address.', fr: "Ce n'est pas une adresse e-mail." },
  state: { en: 'The state is active, blocked or lost.', fr: "L'état est active, bloquée ou perdue." },
  tagTaken: { en: 'There is a card with this tag already.', fr: 'Il y a déjà une carte avec cet identifiant.' },
  numberTaken: { en: 'Another card has this number.', fr: 'Une autre carte a ce numéro.' },
  originTenantId: { en: 'There is no such tenant.', fr: "Ce lieu n'existe pas." },
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

/** Parses a state. @param text `active`, or the label in an English or French list @returns undefined when it is no state */
export function parseState(text: string): CardState | undefined {
  const word = text.trim().toLowerCase();
  return (Object.keys(cardStates) as CardState[]).find(
    (state) => state === word || Object.values(cardStates[state]).some((label) => label.toLowerCase() === word),
  );
}
