import type { Mail } from '#tickets';
import { currency, databaseNow, instantInZone, isLanguage, type Language, partsInZone } from '#kernel';
import {
  confirmEmailMessage,
  confirmMembershipMessage,
  eventCancelledMessage,
  eventChangedMessage,
  eventMessageMessage,
  eventReminderMessage,
  membershipMessage,
  membershipReminderMessage,
  renewalFailedMessage,
  renewalMessage,
  payAtVenueMessage,
  refundedMessage,
  reservationCancelledMessage,
  ticketGivenMessage,
  ticketOfferedMessage,
  ticketsCancelledMessage,
  ticketsMessage,
  waitingMessage,
  type BookingMailFacts,
  type MailMessage,
  type MailTenant,
  type OwnTexts,
} from '#messages';
import { TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { texts } from '../locales/notices.texts.js';
import { isMailTextKind, mailTextKinds, type MailTextKind } from '../mails/mail-text-rules.js';
import { MailTextsService } from '../mails/mail-texts.service.js';
import { EventNotice } from '../notices/event-notice.entity.js';
import { noticeTextIn, type NoticeTexts } from '../notices/notice-texts.js';
import { mailEventOf } from './mail-event.js';
import { MailSourcesService } from './mail-sources.service.js';

/** What an example shows. */
export interface ExampleMail {
  readonly kind: MailTextKind;
  readonly language: Language;
  readonly own: OwnTexts;
  /** Address of the recipient. */
  readonly to: string;
}

interface Example extends ExampleMail {
  readonly tenant: MailTenant;
}

const hourMs = 3_600_000;
const exampleWords = texts.perLanguage('exampleMail', ({ words, t }) => ({
  ...words,
  subject: (subject: string) => t('exampleMail.subject', { subject }),
}));

/** Mails with example data, composed by the code that composes the mails to guests. */
@Injectable()
export class ExampleMailsService {
  constructor(
    private readonly sources: MailSourcesService,
    private readonly mailTexts: MailTextsService,
    private readonly db: TenantDb,
  ) {}

  /** Composes an example of a kind. */
  async compose(example: ExampleMail): Promise<MailMessage> {
    const shown = { ...example, tenant: await this.sources.venue() };
    const about = mailTextKinds[shown.kind];
    if (about === 'membership') return membershipExample(shown);
    return about === 'waiting' ? waitingExample(shown) : bookingExample(shown);
  }

  /** The test mail to a member of staff that a row of `mail` asks for. @returns undefined when it names no kind of mail */
  async test({ recipient, note, noticeId }: Mail): Promise<MailMessage | undefined> {
    const [kind, language] = note?.split(' ') ?? [];
    if (noticeId !== null && isLanguage(language)) return this.testOfNotice(noticeId, language, recipient);
    if (!isMailTextKind(kind) || !isLanguage(language)) return undefined;
    const message = await this.compose({ kind, language, own: await this.mailTexts.of(kind, language), to: recipient });
    return { ...message, subject: exampleWords[language].subject(message.subject) };
  }

  /** A message of staff about an event, as an example person gets it. @returns undefined when there is no such event or text */
  async message(eventId: string, texts: NoticeTexts, language: Language, to: string): Promise<MailMessage | undefined> {
    const event = await this.sources.event(eventId);
    const text = noticeTextIn(texts, language);
    if (!event || !text) return undefined;
    const { signature } = await this.mailTexts.of('signature', language);
    const own = signature === undefined ? {} : { signature };
    const facts = bookingFacts({ kind: 'tickets', language, own, to, tenant: await this.sources.venue() });
    return eventMessageMessage({ ...facts, event: mailEventOf(event, this.sources.pageOf(event)), ...text });
  }

  private async testOfNotice(id: string, language: Language, to: string): Promise<MailMessage | undefined> {
    const notice = await this.db.transaction((tx) => tx.findOneBy(EventNotice, { id }));
    const message = notice?.texts && (await this.message(notice.eventId, notice.texts, language, to));
    return message ? { ...message, subject: exampleWords[language].subject(message.subject) } : undefined;
  }
}

function bookingExample(example: Example): MailMessage {
  const { kind } = example;
  const facts = bookingFacts(example);
  const { tenant, language } = facts;
  const words = exampleWords[language];
  const lines = [1, 2].map((number) => ({
    id: `${number}`,
    holder: `${words.firstName} ${words.lastName}`,
    product: words.product,
    price: words.price,
    amount: '12.50',
    code: 'EXAMPLE',
    admission: true,
  }));
  const refunds = [{ amount: '25.00' }];
  switch (kind) {
    case 'confirm-email':
      return confirmEmailMessage({ ...facts, confirmUrl: tenant.url, minutes: 30, ticketsCount: 2 });
    case 'confirm-venue':
      return payAtVenueMessage({ ...facts, lines, payBefore: facts.event.startsAt, minutes: 30 });
    case 'pay-at-venue':
      return payAtVenueMessage({ ...facts, lines, payBefore: facts.event.startsAt });
    case 'ticket-offered': {
      const { firstName: giver, gift } = words;
      return ticketOfferedMessage({ ...facts, reservation: { ...facts.reservation, firstName: '', lastName: '' }, giver, words: gift });
    }
    case 'ticket-given':
      return ticketGivenMessage({ ...facts, ticketName: '', newHolder: `${words.otherPerson}, sacha@example.org`, isBuyer: true });
    case 'tickets-cancelled':
    case 'tickets-cancelled-by-venue':
      return ticketsCancelledMessage({
        ...facts,
        by: kind === 'tickets-cancelled' ? 'recipient' : 'venue',
        words: '',
        cancelled: lines.slice(0, 1),
        left: 1,
        refunds: [{ amount: '12.50' }],
      });
    case 'reservation-cancelled':
      return reservationCancelledMessage({ ...facts, words: '', refunds });
    case 'event-reminder':
      return eventReminderMessage(facts);
    case 'event-changed':
      return eventChangedMessage({ ...facts, words: '', before: earlier(facts.event) });
    case 'event-cancelled':
      return eventCancelledMessage({ ...facts, words: '', refunds });
    case 'refunded':
      return refundedMessage({ ...facts, refund: { amount: '25.00' }, cause: 'late' });
    default: {
      const isGift = kind === 'ticket-transferred';
      const tickets = isGift ? lines.slice(0, 1) : lines;
      const reservation = isGift ? { ...facts.reservation, total: '12.50' } : facts.reservation;
      const isReplacement = kind === 'tickets-replaced';
      return ticketsMessage({ ...facts, reservation, tickets, isGift, hidesAmounts: isGift, isReplacement });
    }
  }
}

function waitingExample(example: Example): MailMessage {
  const { event, language, tenant, own } = bookingFacts(example);
  const { price } = exampleWords[language];
  return waitingMessage({
    language,
    tenant,
    event,
    ...(own && { own }),
    email: example.to,
    state: example.kind === 'waiting-offer' ? 'offered' : 'unconfirmed',
    quantity: 2,
    name: price,
    total: '25.00',
    until: new Date(databaseNow().getTime() + 4 * hourMs),
    url: tenant.url,
  });
}

function membershipExample({ kind, language, tenant, own, to: email }: Example): MailMessage {
  const { firstName, lastName, membership: name } = exampleWords[language];
  const now = databaseNow();
  const validUntil = new Date(now.getTime() + 30 * 24 * hourMs);
  const person = { email, firstName, lastName, name };
  const notice = { language, tenant, own, isConfirmed: true, ...person, validUntil, minutes: 30, url: tenant.url };
  if (kind === 'confirm-membership') return confirmMembershipMessage(notice);
  if (kind === 'membership-reminder') return membershipReminderMessage(notice);
  const dueAt = new Date(now.getTime() + 23 * 24 * hourMs);
  if (kind === 'membership-renewal') return renewalMessage({ ...notice, dueAt, amount: '20.00' });
  if (kind === 'membership-renewal-failed') return renewalFailedMessage({ ...notice, againAt: dueAt });
  const card = { ...person, id: '', reference: 'EXAMPLE', amount: '20.00', currency, validFrom: now, validUntil, code: 'EXAMPLE' };
  const isReplacement = kind === 'membership-replaced';
  return membershipMessage({ language, tenant, own, isConfirmed: true, holderUrl: tenant.url, membership: card, isReplacement });
}

/** A booking of two tickets for an evening in a month, in euros. */
function bookingFacts({ language, tenant, own, to: email }: Example): BookingMailFacts {
  const { firstName, lastName, event, place, street, city } = exampleWords[language];
  return {
    language,
    tenant,
    own,
    isConfirmed: true,
    reservation: { id: 'example', reference: 'EXAMPLE', email, firstName, lastName, total: '25.00', currency, sequence: 0 },
    event: {
      name: event,
      subtitle: null,
      startsAt: evening(tenant.timeZone, 20),
      endsAt: evening(tenant.timeZone, 22),
      place: { name: place, street, city },
      url: tenant.url,
      sequence: 0,
      changedAt: databaseNow(),
      confirmationHtml: null,
    },
    holderUrl: tenant.url,
  };
}

/** The event a week earlier. */
function earlier({ startsAt, endsAt, place }: BookingMailFacts['event']): Parameters<typeof eventChangedMessage>[0]['before'] {
  const before = (instant: Date): Date => new Date(instant.getTime() - 7 * 24 * hourMs);
  return { startsAt: before(startsAt), endsAt: endsAt && before(endsAt), doorsAt: null, alteration: null, place };
}

/** A full hour on the clocks of a time zone, in a month. */
function evening(timeZone: string, hour: number): Date {
  const { year, month, day } = partsInZone(new Date(databaseNow().getTime() + 30 * 24 * hourMs), timeZone);
  return instantInZone(`${year}-${month}-${day}T${hour}:00`, timeZone);
}
