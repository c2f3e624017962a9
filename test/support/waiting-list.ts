import { WaitingLinks, WaitingListService, WaitingProposalsService } from '#waiting';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { randomUUID } from 'node:crypto';
import type { TestApp } from './test-app.js';

/** What a test looks at in an entry of a waiting list. */
export interface WaitingRow {
  readonly id: string;
  readonly email: string;
  readonly status: string;
  readonly mails: number;
  readonly reservationId: string | null;
  readonly offeredUntil: Date | null;
}

interface Joining {
  readonly email?: string;
  readonly quantity?: number;
  readonly network?: string;
}

type ChosenEvent = { readonly id: string; readonly priceId: string };

/** The waiting lists of one tenant. */
export class WaitingLists {
  constructor(
    private readonly test: TestApp,
    private readonly tenant: TenantIdentity,
  ) {}

  /** Joins like a visitor, without confirming. */
  async join(event: ChosenEvent, { email = `${randomUUID()}@example.org`, quantity = 1, network }: Joining = {}): Promise<string> {
    const wanted = { eventId: event.id, priceId: event.priceId, quantity, email, language: 'en' } as const;
    await this.test.inside(this.tenant, () => this.test.app.get(WaitingListService).join(wanted, network ?? randomUUID()));
    const rows = await this.rows(event.id);
    return rows.find((row) => row.email === email)?.id ?? '';
  }

  /** Joins and opens the mailed link. */
  async wait(event: ChosenEvent, how: Joining = {}): Promise<string> {
    const id = await this.join(event, how);
    await this.test.inside(this.tenant, () => this.test.app.get(WaitingListService).confirm(id));
    return id;
  }

  /** Lets the round end that began when too few places were free for some entries of an event. */
  async endRound(eventId: string): Promise<void> {
    await this.sql(`update waiting_entry set short_since = short_since - interval '6 minutes' where event_id = $1`, [eventId]);
  }

  serve(eventId: string): Promise<void> {
    return this.test.inside(this.tenant, () => this.test.app.get(WaitingProposalsService).serve(eventId));
  }

  /** Entries of an event in the order of the list; unconfirmed ones last. */
  rows(eventId: string): Promise<WaitingRow[]> {
    return this.sql<WaitingRow>(
      `select id, email, status, mails, reservation_id as "reservationId", offered_until as "offeredUntil" from waiting_entry
       where event_id = $1 order by confirmed_at, created_at, id`,
      [eventId],
    );
  }

  async states(eventId: string): Promise<string[]> {
    return (await this.rows(eventId)).map(({ status }) => status);
  }

  pathTo(id: string): Promise<string> {
    return this.test.inside(this.tenant, () => Promise.resolve(this.test.app.get(WaitingLinks).pathTo(id)));
  }

  sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return this.test.inside(this.tenant, () => this.test.app.get(TenantDb).transaction((tx) => tx.query<Row[]>(text, values)));
  }
}
