import type { MailKind } from '#tickets';
import { isVisible, RefusedInput, RefusedInputs, refuseUnfitText, type Language } from '#kernel';
import { placeholders, unknownPlaceholders, type OwnTexts, type PlaceholderGroup } from '#messages';
import { texts } from '../locales/notices.texts.js';

/**
 * The kinds of mails to which a venue may add texts, with what they are about. Staff write all of a message to guests; mails to followers
 * have only the signature, receipts of withdrawals nothing.
 */
export const mailTextKinds = {
  tickets: 'booking',
  'confirm-email': 'booking',
  'confirm-venue': 'booking',
  'pay-at-venue': 'booking',
  'ticket-offered': 'booking',
  'ticket-transferred': 'booking',
  'ticket-given': 'booking',
  'tickets-replaced': 'booking',
  'tickets-cancelled': 'booking',
  'tickets-cancelled-by-venue': 'booking',
  'reservation-cancelled': 'booking',
  'event-cancelled': 'booking',
  'event-changed': 'booking',
  'event-reminder': 'booking',
  refunded: 'booking',
  'waiting-list': 'waiting',
  'waiting-offer': 'waiting',
  'confirm-membership': 'membership',
  membership: 'membership',
  'membership-replaced': 'membership',
  'membership-reminder': 'membership',
  'membership-renewal': 'membership',
  'membership-renewal-failed': 'membership',
} as const satisfies Readonly<
  Record<
    Exclude<
      MailKind,
      | 'test'
      | 'event-message'
      | 'follow-confirm'
      | 'new-dates'
      | 'sales-open'
      | 'withdrawal'
      | 'gift-card'
      | 'gift-card-bought'
      | 'on-account'
    >,
    PlaceholderGroup
  >
>;

export type MailTextKind = keyof typeof mailTextKinds;

/** The maximum length of each text in characters. */
export const mailTextLimits = { subject: 150, intro: 2000, closing: 2000, signature: 500 } as const;

export type MailTextPart = keyof typeof mailTextLimits;

/** A stored text. */
export interface StoredMailText {
  readonly kind: string;
  readonly language: string;
  readonly part: string;
  readonly text: string;
}

/** What staff enter for a kind of mail; `signature` stands for the texts below all mails. */
export type MailTextSubject = MailTextKind | 'signature';

export const isMailTextKind = (kind: unknown): kind is MailTextKind => typeof kind === 'string' && Object.hasOwn(mailTextKinds, kind);

/** The texts that are entered for a kind. */
export function partsOfKind(kind: MailTextSubject): readonly MailTextPart[] {
  return kind === 'signature' ? ['signature'] : ['subject', 'intro', 'closing'];
}

/** The placeholders that a kind knows. */
export function placeholdersOf(kind: MailTextSubject): readonly string[] {
  return placeholders[kind === 'signature' ? 'signature' : mailTextKinds[kind]];
}

/**
 * Checks texts, lengths first, and removes white space around them. A text without a visible character is empty.
 * @throws RefusedInputs on each part that is too long, has control characters, or names an unknown placeholder
 */
export function checkedTexts(kind: MailTextSubject, given: OwnTexts): OwnTexts {
  const faults: RefusedInput[] = [];
  const checked: Partial<Record<MailTextPart, string>> = {};
  for (const part of partsOfKind(kind)) {
    try {
      checked[part] = checkedText(part, given[part] ?? '', placeholdersOf(kind));
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      faults.push(error);
    }
  }
  if (faults.length > 0) throw new RefusedInputs(faults);
  return checked;
}

function checkedText(part: MailTextPart, given: string, known: readonly string[]): string {
  refuseUnfitText(part, given, mailTextLimits[part]);
  const text = given.replaceAll(/\r\n?/g, '\n').trim();
  if (!isVisible(text)) return '';
  if (part === 'subject' && text.includes('\n')) throw new RefusedInput(part, texts.localized('mailTexts.oneLine'));
  const [unknown] = unknownPlaceholders(text, known);
  if (unknown !== undefined) {
    const names = known.map((name) => `{${name}}`).join(', ');
    throw new RefusedInput(part, texts.localized('mailTexts.unknown', { name: `{${unknown.slice(0, 40)}}`, names }));
  }
  return text;
}

/** The texts in a language, of rows of one kind and of the signature. */
export function ownTextsIn(rows: readonly StoredMailText[], language: Language): OwnTexts {
  return Object.fromEntries(rows.filter((row) => row.language === language).map(({ part, text }) => [part, text]));
}
