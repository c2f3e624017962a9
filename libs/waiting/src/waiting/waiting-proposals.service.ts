import { DraftsService, type DraftChoice } from '#selling';
import { AvailabilityService, waitingListJob, lockEvent, anybodyWaits, endsEntrySql, roundSeconds, MailsService } from '#tickets';
import { eventIsOverSql } from '#catalogue';
import { RefusedInput, RefusedInputs, retryOnDeadlock, SETTINGS, type Settings } from '#kernel';
import { JobsService } from '#jobs';
import { TenantDb, type Tx } from '#tenancy';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { RefusedWaiting } from './waiting-refusals.js';
import { loadEntry, nextEntry, noteShort, type NextEntry } from './waiting-rows.js';

/** Offers of one transaction, so that the event is not locked for long. */
const mostAtOnce = 20;

/**
 * Proposes free seats of an event to the people who wait for them, in the order of the list. A proposal is a draft that holds its seats
 * like every draft, so capacity and stock are decided where all bookings decide them. Who wants more seats than are free is waited for in
 * one round: then those behind, and buyers, get them, until enough are free at once. Staff may propose seats out of order.
 */
@Injectable()
export class WaitingProposalsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly availability: AvailabilityService,
    private readonly drafts: DraftsService,
    private readonly mails: MailsService,
    private readonly jobs: JobsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(waitingListJob, (eventId) => this.serve(eventId));
  }

  /** Proposes what is free now, and ends proposals and entries whose time is over. */
  async serve(eventId: string): Promise<void> {
    await this.availability.releaseFor(eventId);
    await this.proposing((tx) => this.serveIn(tx, eventId));
  }

  /**
   * Offers places to one person, whoever waits before.
   * @throws RefusedWaiting `not_waiting`, `no_places`
   */
  async proposeNow(id: string): Promise<void> {
    const known = await this.db.transaction((tx) => loadEntry(tx, id));
    if (!known) throw new RefusedWaiting('not_waiting', 'status');
    const { eventId } = known;
    await this.availability.releaseFor(eventId);
    await this.proposing(async (tx) => {
      const entry = (await lockEvent(tx, eventId)) ? await nextEntry(tx, eventId, { id }, this.settings) : undefined;
      if (!entry) throw new RefusedWaiting('not_waiting', 'status');
      if (entry.left < entry.quantity || !(await this.propose(tx, eventId, entry))) throw new RefusedWaiting('no_places', 'status');
    });
  }

  /** Runs a transaction that makes proposals, and repeats it when what the event sells has changed meanwhile. */
  private proposing(work: (tx: Tx) => Promise<void>): Promise<void> {
    return this.availability.retryAfterRelease(() => retryOnDeadlock(() => this.db.transaction(work)));
  }

  private async serveIn(tx: Tx, eventId: string): Promise<void> {
    if (!(await lockEvent(tx, eventId))) return;
    await endProposals(tx, eventId);
    const sale = await this.saleOf(tx, eventId);
    if (sale.isEnded) return endEntries(tx, eventId);
    const proposed = sale.isOpen ? await this.proposeInOrder(tx, eventId) : 0;
    const afterSeconds = proposed === mostAtOnce ? 0 : roundSeconds;
    if (await anybodyWaits(tx, eventId)) await this.jobs.add(tx, waitingListJob, eventId, { afterSeconds });
  }

  /** @returns the number of proposals */
  private async proposeInOrder(tx: Tx, eventId: string): Promise<number> {
    const passed: string[] = [];
    let proposed = 0;
    while (proposed < mostAtOnce) {
      const entry = await nextEntry(tx, eventId, { passed }, this.settings);
      if (!entry || entry.places < entry.quantity) break;
      if (entry.left >= entry.quantity && (await this.propose(tx, eventId, entry))) proposed += 1;
      else passed.push(entry.priceId);
    }
    if (proposed < mostAtOnce) await noteShort(tx, eventId);
    return proposed;
  }

  /**
   * Holds the seats of an entry until its proposal ends, at the latest when the event begins. The event must be locked.
   * @returns false when the price is not sold any more
   */
  private async propose(tx: Tx, eventId: string, { id, priceId, email, code, quantity, endsAt }: NextEntry): Promise<boolean> {
    const choice = { eventId, lines: [{ priceId, quantity }], options: [] };
    // Places do not depend on a code that cannot be used any more.
    const coded = code === null ? undefined : await this.hold(tx, { ...choice, code }, endsAt);
    const draftId = coded ?? (await this.hold(tx, choice, endsAt));
    if (draftId === undefined) return false;
    await tx.query(`update waiting_entry set status = 'offered', reservation_id = $2, offered_until = $3 where id = $1`, [
      id,
      draftId,
      endsAt,
    ]);
    await this.mails.add(tx, 'waiting-offer', { waitingEntryId: id, recipient: email });
    return true;
  }

  /** What was written is undone when the choice is refused. @returns the draft; undefined: refused */
  private async hold(tx: Tx, choice: DraftChoice, endsAt: Date): Promise<string | undefined> {
    await tx.query('savepoint proposal');
    try {
      const id = await this.drafts.proposeIn(tx, choice, endsAt);
      await tx.query('release savepoint proposal');
      return id;
    } catch (error) {
      if (!(error instanceof RefusedInput || error instanceof RefusedInputs)) throw error;
      await tx.query('rollback to savepoint proposal');
      return undefined;
    }
  }

  private async saleOf(tx: Tx, eventId: string): Promise<{ isOpen: boolean; isEnded: boolean }> {
    const [row] = await tx.query<{ isOpen: boolean; isEnded: boolean }[]>(
      `select published as "isOpen", ${eventIsOverSql('event', this.settings)} or starts_at <= statement_timestamp()
         or not published and exists (select 1 from event_cancellation where event_id = event.id) as "isEnded"
       from event where id = $1`,
      [eventId],
    );
    return row ?? { isOpen: false, isEnded: true };
  }
}

/** Ends the proposals whose hold is over: their draft was released or deleted. */
async function endProposals(tx: Tx, eventId: string): Promise<void> {
  await tx.query(
    `update waiting_entry set ${endsEntrySql(`'expired'`)} where event_id = $1 and status = 'offered'
     and not exists (select 1 from reservation draft where draft.id = waiting_entry.reservation_id and draft.released_at is null)`,
    [eventId],
  );
}

/** Ends the entries of an event that began or was cancelled. */
async function endEntries(tx: Tx, eventId: string): Promise<void> {
  await tx.query(
    `update waiting_entry set ${endsEntrySql(`'over'`)}
     where event_id = $1 and status in ('unconfirmed', 'waiting')`,
    [eventId],
  );
}
