import { longestNote, MailsService } from '#tickets';
import type { EventChange, WholeEvent } from '#catalogue';
import { actorColumns, refuseUnfitText, type Language } from '#kernel';
import { JobsService } from '#jobs';
import { TenantDb, type Tx } from '#tenancy';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { MailTextsService } from '../mails/mail-texts.service.js';
import { EventNotice, type EventBefore } from './event-notice.entity.js';
import { countGuests, nextGuests, type Audience } from './notice-recipients.js';
import { placeOf } from './notice-place.js';
import { checkedMessage, type NoticeTexts } from './notice-texts.js';

/** Writes the mails of a notice to the guests of an event; its subject is the row of `event_notice`. */
export const eventNoticeJob = 'event-notice';

/** Who booked so many hours before a reminder, or later, got the tickets just now. */
const remindedAfterHours = 12;

const mailOf = {
  changed: 'event-changed',
  untold: 'event-changed',
  message: 'event-message',
  reminder: 'event-reminder',
  test: 'test',
} as const;

/** A message of staff to guests. */
export interface EventMessage extends Audience {
  readonly texts: NoticeTexts;
}

/** A notice in the history of an event. */
export interface SentNotice extends Pick<EventNotice, 'id' | 'kind' | 'audience' | 'texts' | 'note' | 'createdAt' | 'finishedAt'> {
  /** Mails that were written and that were sent. */
  readonly written: number;
  readonly sent: number;
}

/** Mails written in one step; other jobs run between steps. */
const stepSize = 50;

/** Mails to the guests of an event: when it moves, and what staff write. */
@Injectable()
export class EventNoticesService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly mails: MailsService,
    private readonly jobs: JobsService,
    private readonly mailTexts: MailTextsService,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(eventNoticeJob, (id) => this.step(id));
  }

  /** Number of people in an audience, and their languages. */
  count(audience: Audience): Promise<{ people: number; languages: Language[] }> {
    return this.db.transaction((tx) => countGuests(tx, audience));
  }

  /**
   * Tells the holders of an event that its time, place or status changed, in the transaction of that change. Later notices of the same
   * event replace the mails that were not sent yet.
   * @param note of staff, plain text
   * @param told called with the id of each event whose guests are told
   * @returns what `EventsService.update` runs; it does nothing when the guests need not know
   */
  tellingOf(
    note: string | undefined,
    told: (eventId: string) => void = () => undefined,
  ): (tx: Tx, before: WholeEvent, now: WholeEvent) => Promise<void> {
    refuseUnfitText('note', note ?? '', longestNote);
    return async (tx, before, now) => {
      if (!concernsGuests(before, now)) return;
      const { id: eventId } = before;
      await tx.query(
        `update mail set status = 'obsolete' where status = 'waiting' and notice_id in (select id from event_notice
           where event_id = $1 and kind = 'changed')`,
        [eventId],
      );
      await tx.query(`update event_notice set finished_at = now() where event_id = $1 and kind = 'changed' and finished_at is null`, [
        eventId,
      ]);
      await this.add(tx, { eventId, kind: 'changed', note: note?.trim() || null, before: beforeOf(before) });
      told(eventId);
    };
  }

  /** The same without mails: remembers what the guests of an event were told before, for a later mail. */
  async untold(tx: Tx, before: WholeEvent, now: WholeEvent): Promise<void> {
    if (!concernsGuests(before, now)) return;
    await tx.query(
      `insert into event_notice (event_id, kind, before, finished_at) select $1, 'untold', $2, now()
       where exists (select from reservation where event_id = $1 and not is_draft and status <> 'C')`,
      [before.id, JSON.stringify(beforeOf(before))],
    );
  }

  /** Mails a message of staff to guests. @throws as `checkedMessage` */
  async write({ eventId, audience, priceIds, texts: given }: EventMessage): Promise<void> {
    const checked = checkedMessage(given);
    await this.db.transaction((tx) =>
      this.add(tx, { eventId, kind: 'message', audience, priceIds: priceIds && [...priceIds], texts: checked }),
    );
  }

  /**
   * Mails a message with example data to a member of staff.
   * @returns false when there were too many test mails
   * @throws as `checkedMessage`
   */
  sendTest({ eventId, texts: given }: EventMessage, language: Language, recipient: string): Promise<boolean> {
    const checked = checkedMessage(given);
    return this.mailTexts.testing(recipient, async (tx) => {
      const { identifiers } = await tx.insert(EventNotice, { eventId, kind: 'test', texts: checked, finishedAt: () => 'now()' });
      const { id: noticeId } = identifiers[0] as { id: string };
      await this.mails.add(tx, 'test', { recipient, note: `event-message ${language}`, noticeId });
    });
  }

  /** The notices of an event, the latest first. */
  history(eventId: string): Promise<SentNotice[]> {
    return this.db.transaction((tx) =>
      tx.query<SentNotice[]>(
        `select notice.id, notice.kind, notice.audience, notice.texts, notice.note, notice.created_at as "createdAt",
           notice.finished_at as "finishedAt", count(mail.id)::int as written,
           (count(mail.id) filter (where mail.status in ('sent', 'kept')))::int as sent
         from event_notice notice left join mail on mail.notice_id = notice.id
         where notice.event_id = $1 and notice.kind not in ('test', 'untold') group by notice.id order by notice.created_at desc limit 50`,
        [eventId],
      ),
    );
  }

  private async add(tx: Tx, notice: Partial<EventNotice>): Promise<void> {
    const [userId] = actorColumns();
    const { identifiers } = await tx.insert(EventNotice, { ...notice, userId });
    await this.jobs.add(tx, eventNoticeJob, (identifiers[0] as { id: string }).id);
  }

  /** Writes some mails and schedules the next step. */
  private async step(id: string): Promise<void> {
    await this.db.transaction(async (tx) => {
      // Two jobs of one notice would write the same mails.
      const notice = await tx.findOne(EventNotice, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!notice || notice.finishedAt !== null) return;
      const before = notice.kind === 'reminder' ? remindedAfterHours * 3_600_000 : 0;
      const since = new Date(notice.createdAt.getTime() - before);
      const guests = await nextGuests(tx, { ...notice, createdAt: since }, stepSize);
      for (const { email: recipient, reservationId, ticketId, waitingEntryId } of guests) {
        const about = reservationId === null ? { waitingEntryId: waitingEntryId as string } : { reservationId };
        await this.mails.add(tx, mailOf[notice.kind], { ...about, ...(ticketId !== null && { ticketId }), recipient, noticeId: id });
      }
      if (guests.length < stepSize) await tx.update(EventNotice, { id }, { finishedAt: () => 'now()' });
      else await this.jobs.add(tx, eventNoticeJob, id);
    });
  }
}

function beforeOf(event: WholeEvent): EventBefore {
  const { startsAt, endsAt, doorsAt, alteration } = event;
  const text = (instant: Date | null): string | null => instant?.toISOString() ?? null;
  return { startsAt: startsAt.toISOString(), endsAt: text(endsAt), doorsAt: text(doorsAt), alteration, place: placeOf(event) };
}

/** A start that moves with a notice is announced as a new date, unless the change names another status. */
export function announcedMove(current: WholeEvent, { startsAt, alteration = current.alteration }: EventChange): EventChange {
  const isMoved = startsAt !== undefined && startsAt.getTime() !== current.startsAt.getTime();
  if (!isMoved || alteration !== current.alteration) return {};
  return alteration === 'moved_online' ? { previousStartsAt: current.startsAt } : { alteration: 'rescheduled' };
}

/** Whether holders of tickets must know of a change: another time, place or status. */
export function concernsGuests(before: WholeEvent, now: WholeEvent): boolean {
  const facts = ({ startsAt, endsAt, postalAddressId, alteration }: WholeEvent): string =>
    JSON.stringify([startsAt, endsAt, postalAddressId, alteration]);
  return facts(before) !== facts(now);
}
