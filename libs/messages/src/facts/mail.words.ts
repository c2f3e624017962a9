import type { Language } from '#kernel';
import { texts } from '../locales/messages.texts.js';

/** Texts of mails and tickets. Plain text; the caller escapes it. */
export interface MailWords {
  readonly hello: (name: string) => string;
  readonly free: string;
  readonly when: string;
  readonly where: string;
  readonly reference: string;
  readonly total: string;
  readonly tickets: string;
  readonly seeEvent: string;
  readonly fromVenue: string;
  readonly footer: (venue: string) => string;
  readonly unasked: string;
  /** The items that were paid online. */
  readonly refund: (amount: string) => string;
  readonly refundOf: Readonly<Record<'cash' | 'card' | 'processing', (amount: string) => string>>;
  readonly refundNone: string;
  readonly confirm: {
    readonly subject: (event: string) => string;
    readonly lead: (count: number, event: string) => string;
    readonly button: string;
    readonly until: (duration: string) => string;
    readonly link: string;
  };
  readonly yourTickets: {
    readonly subject: (count: number, event: string) => string;
    readonly lead: (count: number, event: string) => string;
    readonly door: (count: number) => string;
    readonly file: (reference: string) => string;
  };
  /** The earlier codes are no longer valid. */
  readonly newTickets: {
    readonly subject: (count: number, event: string) => string;
    readonly lead: (count: number, event: string) => string;
  };
  readonly cancelled: { readonly subject: (event: string) => string; readonly lead: (event: string) => string };
  readonly eventCancelled: { readonly subject: (event: string) => string; readonly lead: (event: string) => string };
  readonly late: {
    readonly subject: (event: string) => string;
    readonly lead: (event: string) => string;
    /** The sale was paid twice. */
    readonly twice: (event: string) => string;
  };
  readonly membership: {
    readonly subject: (venue: string) => string;
    readonly lead: string;
    readonly replacedLead: string;
    readonly footer: (venue: string) => string;
    readonly member: string;
    readonly kind: string;
    readonly from: string;
    readonly until: string;
    readonly unlimited: string;
    readonly paid: string;
    readonly picture: string;
    readonly door: string;
    readonly file: (reference: string) => string;
  };
  readonly paper: {
    readonly number: (number: number, count: number) => string;
    readonly show: string;
    /** For goods. */
    readonly showAtCounter: string;
    /** Alternative text of a ticket's QR code. */
    readonly picture: (number: number, count: number) => string;
  };
}

/** French needs a non-breaking space before double punctuation marks and inside quotation marks. */
export const mailWords: Readonly<Record<Language, MailWords>> = texts.perLanguage('mail', ({ words, t }) => ({
  ...words,
  hello: (name) => (name ? t('mail.hello', { name }) : words.helloAll),
  footer: (venue) => t('mail.footer', { venue }),
  refund: (amount) => t('mail.refund', { amount }),
  refundOf: {
    ...words.refundOf,
    cash: (amount) => t('mail.refundOf.cash', { amount }),
    card: (amount) => t('mail.refundOf.card', { amount }),
    processing: (amount) => t('mail.refundOf.processing', { amount }),
  },
  confirm: {
    ...words.confirm,
    subject: (event) => t('mail.confirm.subject', { event }),
    lead: (count, event) => t('mail.confirm.lead', { count, event }),
    until: (duration) => t('mail.confirm.until', { duration }),
  },
  yourTickets: {
    ...words.yourTickets,
    subject: (count, event) => t('mail.yourTickets.subject', { count, event }),
    lead: (count, event) => t('mail.yourTickets.lead', { count, event }),
    door: (count) => t('mail.yourTickets.door', { count }),
    file: (reference) => t('mail.yourTickets.file', { reference }),
  },
  newTickets: {
    ...words.newTickets,
    subject: (count, event) => t('mail.newTickets.subject', { count, event }),
    lead: (count, event) => t('mail.newTickets.lead', { count, event }),
  },
  cancelled: {
    ...words.cancelled,
    subject: (event) => t('mail.cancelled.subject', { event }),
    lead: (event) => t('mail.cancelled.lead', { event }),
  },
  eventCancelled: {
    ...words.eventCancelled,
    subject: (event) => t('mail.eventCancelled.subject', { event }),
    lead: (event) => t('mail.eventCancelled.lead', { event }),
  },
  late: {
    ...words.late,
    subject: (event) => t('mail.late.subject', { event }),
    lead: (event) => t('mail.late.lead', { event }),
    twice: (event) => t('mail.late.twice', { event }),
  },
  membership: {
    ...words.membership,
    subject: (venue) => t('mail.membership.subject', { venue }),
    footer: (venue) => t('mail.membership.footer', { venue }),
    file: (reference) => t('mail.membership.file', { reference }),
  },
  paper: {
    ...words.paper,
    number: (number, count) => t('mail.paper.number', { number, count }),
    picture: (number, count) => t('mail.paper.picture', { number, count }),
  },
}));
