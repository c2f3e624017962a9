import { type Mail, HolderCancellationsService } from '#tickets';
import type { Event } from '#catalogue';
import { databaseNow } from '#kernel';
import { eventChangedMessage, eventMessageMessage, eventReminderMessage, type BookingMailFacts, type MailMessage } from '#messages';
import { TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { EventNotice, type EventBefore } from '../../notices/event-notice.entity.js';
import { noticeTextIn } from '../../notices/notice-texts.js';
import type { GivenTicket } from '../booking-facts.js';

/** Composes the mails of a notice to the holders of an event. */
@Injectable()
export class EventNoticeMailsService {
  constructor(
    private readonly db: TenantDb,
    private readonly cancellations: HolderCancellationsService,
  ) {}

  /**
   * @param tickets those that the recipient holds
   * @returns undefined when the mail is obsolete: they were cancelled
   */
  async compose(
    { kind, noticeId }: Mail,
    event: Event,
    tickets: readonly GivenTicket[],
    facts: BookingMailFacts,
  ): Promise<MailMessage | undefined> {
    const notice = noticeId === null ? null : await this.db.transaction((tx) => tx.findOneBy(EventNotice, { id: noticeId }));
    if (!notice || tickets.every(({ status }) => status === 'R')) return undefined;
    if (kind === 'event-message') {
      const text = noticeTextIn(notice.texts, facts.language);
      return text && eventMessageMessage({ ...facts, ...text });
    }
    if (kind === 'event-reminder') {
      const { startsAt, published } = event;
      // It moved, was cancelled, or has begun since.
      if (notice.startsAt?.getTime() !== startsAt.getTime() || !published || startsAt <= databaseNow()) return undefined;
      return eventReminderMessage(facts);
    }
    if (!notice.before) return undefined;
    const until = await this.cancellations.until(event);
    const returnUntil = until !== undefined && until > databaseNow() ? { returnUntil: until } : {};
    return eventChangedMessage({ ...facts, words: notice.note ?? '', before: shownBefore(notice.before), ...returnUntil });
  }
}

function shownBefore(before: EventBefore): Parameters<typeof eventChangedMessage>[0]['before'] {
  const { startsAt, endsAt, doorsAt, alteration, place } = before;
  const known = (instant: string | null | undefined): Date | null => (instant ? new Date(instant) : null);
  return { startsAt: new Date(startsAt), endsAt: known(endsAt), doorsAt: known(doorsAt), alteration, place };
}
