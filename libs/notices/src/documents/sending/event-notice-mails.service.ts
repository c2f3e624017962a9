import { type Mail, HolderCancellationsService, type WholeReservation } from '#tickets';
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
    { id, event }: Pick<WholeReservation, 'id' | 'event'>,
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
    const [told] = await this.db.transaction((tx) => tx.query<{ before: EventBefore }[]>(lastToldSql, [noticeId, id]));
    const before = shownBefore(told?.before ?? notice.before);
    const named = namingBefore(facts.event, before.startsAt, notice.before);
    return eventChangedMessage({ ...facts, event: named, words: notice.note ?? '', before, ...returnUntil });
  }
}

function shownBefore(before: EventBefore): Parameters<typeof eventChangedMessage>[0]['before'] {
  const { startsAt, endsAt, doorsAt, alteration, place } = before;
  const known = (instant: string | null | undefined): Date | null => (instant ? new Date(instant) : null);
  return { startsAt: new Date(startsAt), endsAt: known(endsAt), doorsAt: known(doorsAt), alteration, place };
}

/**
 * What a guest was told of an event before a notice: when the tickets were booked, or by the notice before, what is later. Changes that
 * nobody was told of lie in between.
 */
const lastToldSql = `select other.before from event_notice notice join event_notice other on other.event_id = notice.event_id
  where notice.id = $1 and other.kind in ('changed', 'untold') and other.created_at <= notice.created_at
    and other.created_at > (select created_at from reservation where id = $2)
    and not exists (select from event_notice told where told.event_id = notice.event_id and told.kind = 'changed'
      and told.created_at >= other.created_at and told.created_at < notice.created_at)
  order by other.created_at limit 1`;

/** The event, whose earlier start is the one that this guest knows. */
function namingBefore(event: BookingMailFacts['event'], told: Date, before: EventBefore): BookingMailFacts['event'] {
  const isNamed = event.previousStartsAt?.toISOString() === before.startsAt;
  return isNamed ? { ...event, previousStartsAt: told } : event;
}
