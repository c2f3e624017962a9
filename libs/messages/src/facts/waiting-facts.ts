import type { Language } from '#kernel';
import type { MailTenant } from '../layout/mail-frame.js';
import type { OwnTexts } from '../layout/own-texts.js';
import type { MailEvent } from './mail-facts.js';

/** Data of the mails about an entry of a waiting list. */
export interface WaitingMailFacts {
  readonly language: Language;
  readonly tenant: MailTenant;
  /** Texts of the venue in the language of the mail. */
  readonly own?: OwnTexts;
  readonly event: MailEvent;
  readonly email: string;
  readonly state: 'unconfirmed' | 'waiting' | 'offered';
  readonly quantity: number;
  /** Name of product and price. */
  readonly name: string;
  /** Of all places, decimal text in euros. */
  readonly total: string;
  /** The code that the person gave: `used` by the places that are offered, `gone` when it cannot be used any more, or kept for an offer. */
  readonly code?: { readonly code: string; readonly state: 'kept' | 'used' | 'gone' } | undefined;
  /** End of the offer. */
  readonly until: Date | null;
  /** Page of the entry: to confirm, book or leave. */
  readonly url: string;
  /** What staff wrote; plain text. It replaces the sentences about the state. */
  readonly message?: { readonly subject: string; readonly words: string };
}
