import { DraftExpiryService, lockDraftRow } from '#selling';
import {
  waitingListJob,
  emailFault,
  emailKey,
  AvailabilityService,
  lockEvent,
  endsEntrySql,
  MailsService,
  rememberVerified,
} from '#tickets';
import { retryOnDeadlock, SignedLinks, type Language } from '#kernel';
import { JobsService } from '#jobs';
import { currentTenant, demandModule, TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { RefusedWaiting } from './waiting-refusals.js';
import { loadEntry, lockEntry, waitingPrice, type ShownEntry } from './waiting-rows.js';

/** What a visitor writes on the page of a sold-out event. */
export interface WantedPlaces {
  readonly eventId: string;
  readonly priceId: string;
  readonly quantity: number;
  readonly email: string;
  readonly language: Language;
  /** As `codeKey` writes it: a proposal uses it where it can be used then. */
  readonly code?: string | undefined;
}

/** Entries of one network: those that it may add within an hour, and open ones for one event. */
const mostOfNetwork = { hour: 20, event: 3 } as const;
/** Entries of one address over all events that may await their confirmation. */
const mostUnconfirmed = 5;
/** Mails that forms may cause for one entry, and seconds between them. */
const mostMails = 6;
const mailPauseSeconds = 300;

/** Joining, confirming and leaving the waiting lists of sold-out events. `WaitingProposalsService` proposes seats. */
@Injectable()
export class WaitingListService {
  constructor(
    private readonly db: TenantDb,
    private readonly availability: AvailabilityService,
    private readonly drafts: DraftExpiryService,
    private readonly mails: MailsService,
    private readonly jobs: JobsService,
    private readonly links: SignedLinks,
  ) {}

  /**
   * Puts a person on the list of an event, unconfirmed, and mails the link that confirms it. For an address that is on the list already,
   * the mail contains the link of that entry; callers cannot tell the difference.
   * @param network of the visitor, as `siteOfClient` names it
   * @returns id of the entry; undefined: no mail goes out
   * @throws RefusedInput on `email`; RefusedWaiting `no_list` on `price`, also when places are free or only held,
   *   `quantity` on `quantity`, `too_many`, `too_many_here` on `email`; Problem 403 `tenant.module`
   */
  async join({ eventId, priceId, quantity, email, language, code }: WantedPlaces, network: string): Promise<string | undefined> {
    demandModule('ticketing');
    const address = email.trim();
    const fault = emailFault(address);
    if (fault) throw fault;
    return this.db.transaction(async (tx) => {
      const price = await waitingPrice(tx, eventId, priceId);
      if (!price?.isOpen) throw new RefusedWaiting('no_list', 'price');
      if (!Number.isInteger(quantity) || quantity < 1 || quantity > price.maximum) throw new RefusedWaiting('quantity', 'quantity');
      const mark = this.links.markOf(`waiting network:${currentTenant().id}:${network}`);
      await refuseBusyNetwork(tx, mark, eventId);
      const id = await insertEntry(tx, { eventId, priceId, quantity, language, email: address, network: mark, code });
      if (id !== undefined) await this.mails.add(tx, 'waiting-list', { waitingEntryId: id, recipient: address });
      return id;
    });
  }

  /** @returns undefined when there is no such entry (any more) */
  find(id: string): Promise<ShownEntry | undefined> {
    return this.db.transaction((tx) => loadEntry(tx, id));
  }

  /** Confirms an entry whose owner opened the mailed link: from now on it counts. A repeated call changes nothing. */
  confirm(id: string): Promise<ShownEntry | undefined> {
    return this.changing(id, async (tx, { eventId, emailKey: key }) => {
      const [rows] = await tx.query<[unknown[], number]>(
        `update waiting_entry set status = 'waiting', confirmed_at = (select statement_timestamp())
         where id = $1 and status = 'unconfirmed' and ended_at is null returning id`,
        [id],
      );
      if (rows.length === 0) return;
      await rememberVerified(tx, key);
      await this.jobs.add(tx, waitingListJob, eventId);
    });
  }

  /** Takes a person off the list; seats that are proposed go to the next. Booked and ended entries stay as they are. */
  leave(id: string, by: 'left' | 'removed' = 'left'): Promise<ShownEntry | undefined> {
    return this.changing(id, async (tx, { eventId }) => {
      const entry = await lockEntry(tx, id);
      if (entry?.status !== 'unconfirmed' && entry?.status !== 'waiting' && entry?.status !== 'offered') return;
      await tx.query(`update waiting_entry set ${endsEntrySql('$2')} where id = $1`, [id, by]);
      const draft = entry.reservationId === null ? undefined : await lockDraftRow(tx, entry.reservationId);
      if (draft) await this.drafts.remove(tx, draft);
      // Also without a draft: whoever blocked the list by its number of places may have left.
      await this.jobs.add(tx, waitingListJob, eventId);
    });
  }

  /** Runs a change under the lock of the event. @returns the entry after it */
  private changing(id: string, work: (tx: Tx, entry: ShownEntry) => Promise<void>): Promise<ShownEntry | undefined> {
    const change = async (tx: Tx): Promise<ShownEntry | undefined> => {
      const entry = await loadEntry(tx, id);
      if (!entry) return undefined;
      await lockEvent(tx, entry.eventId);
      await work(tx, entry);
      return loadEntry(tx, id);
    };
    return this.availability.retryAfterRelease(() => retryOnDeadlock(() => this.db.transaction(change)));
  }
}

/**
 * Serialises the forms of a network, so that simultaneous ones cannot exceed the limits together.
 * @throws RefusedWaiting `too_many`; `too_many_here` when the network has enough open entries for the event
 */
async function refuseBusyNetwork(tx: Tx, network: string, eventId: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${currentTenant().id} entries of ${network}`]);
  const [row] = await tx.query<{ lately: number; here: number }[]>(
    `select (count(*) filter (where created_at > statement_timestamp() - interval '1 hour'))::int as lately,
       (count(*) filter (where event_id = $2 and ended_at is null))::int as here from waiting_entry where network = $1`,
    [network, eventId],
  );
  if ((row?.here ?? 0) >= mostOfNetwork.event) throw new RefusedWaiting('too_many_here', 'email');
  if ((row?.lately ?? 0) >= mostOfNetwork.hour) throw new RefusedWaiting('too_many', 'email');
}

/**
 * Adds an entry, or finds the open one of the same person. An unconfirmed one takes over price and quantity.
 * @returns the id of the entry that a mail is due for; undefined when its owner had enough mails
 */
async function insertEntry(
  tx: Tx,
  { eventId, priceId, quantity, language, email, network, code }: WantedPlaces & { readonly network: string },
): Promise<string | undefined> {
  // `returning` after a refused `do update` gives no row: the pause between mails is decided by the database.
  const [row] = await tx.query<{ id: string }[]>(
    `insert into waiting_entry as entry (event_id, price_id, email, email_key, language, quantity, network, code)
     select $1::uuid, $2::uuid, $3::text, $4::text, $5::text, $6::smallint, $7::text, $11::text
     where (select count(*) from waiting_entry other where other.email_key = $4::text and other.status = 'unconfirmed'
       and other.ended_at is null and other.event_id <> $1::uuid) < $8::int
     on conflict (event_id, email_key) where ended_at is null do update set
       price_id = case when entry.status = 'unconfirmed' then excluded.price_id else entry.price_id end,
       quantity = case when entry.status = 'unconfirmed' then excluded.quantity else entry.quantity end,
       code = case when entry.status = 'unconfirmed' then excluded.code else entry.code end,
       language = excluded.language, mails = entry.mails + 1, asked_at = excluded.asked_at
     where entry.mails < $9::int and entry.asked_at < (select now() - make_interval(secs => $10::int))
     returning id`,
    [eventId, priceId, email, emailKey(email), language, quantity, network, mostUnconfirmed, mostMails, mailPauseSeconds, code ?? null],
  );
  return row?.id;
}
