import type { Language } from '#kernel';
import type { MailTenant } from '../layout/mail-frame.js';
import type { OwnTexts } from '../layout/own-texts.js';
import type { MailEvent } from './mail-facts.js';

/** Data of the mails to people who follow a venue. */
export interface FollowerMailFacts {
  readonly language: Language;
  readonly tenant: MailTenant;
  /** The signature of the venue in the language of the mail. */
  readonly own?: OwnTexts;
  readonly email: string;
  /** Page of the follower: to confirm, and to leave. */
  readonly url: string;
}

/** Data of the mails about the sale of tickets for an event. */
export interface SaleMailFacts extends FollowerMailFacts {
  readonly event: MailEvent;
}

/** Data of the mail about new dates. */
export interface NewDatesFacts extends FollowerMailFacts {
  /** In the order of their start; at least one. */
  readonly events: readonly MailEvent[];
  /** New dates that the mail does not list. */
  readonly more: number;
}
