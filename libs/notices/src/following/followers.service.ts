import { emailFault, emailKey, MailsService, rememberVerified } from '#tickets';
import { RefusedInput, SignedLinks, type Language } from '#kernel';
import { JobsService } from '#jobs';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { texts } from '../locales/notices.texts.js';
import type { Follower } from './follower.entity.js';

/** Followers that one network may add within an hour. */
const mostOfNetwork = 20;
/** Mails that forms may cause for one address before it is confirmed, and seconds between them. */
const mostMails = 6;
const mailPauseSeconds = 300;

/** Looks whether the sale of tickets for an event has begun; its subject is the event. */
export const salesOpeningJob = 'sales-opening';
/** Rows of one address, for the venue and its events, that may await their confirmation. */
const mostUnconfirmed = 5;

/** The network added too many followers. */
export class TooManyFollowers extends RefusedInput {}

/** What a visitor sends to follow the venue. */
export interface NewFollower {
  readonly email: string;
  readonly language: Language;
  /** Wants one mail, when the sale of tickets for this event begins; absent: all new dates. */
  readonly eventId?: string;
  /** Whether the visitor is signed in with this address: then it needs no confirmation. */
  readonly isOwn?: boolean;
}

export interface ShownFollower extends Pick<Follower, 'id' | 'email' | 'language' | 'confirmedAt' | 'toldAt'> {
  /** The event whose sale begins; null: all new dates. */
  readonly event: { readonly id: string; readonly name: string; readonly slug: string } | null;
}

/** People who follow the current venue by mail, or wait for the sale of an event: asking, confirming, leaving. */
@Injectable()
export class FollowersService {
  constructor(
    private readonly db: TenantDb,
    private readonly mails: MailsService,
    private readonly jobs: JobsService,
    private readonly links: SignedLinks,
  ) {}

  /**
   * Mails the link that confirms. Who follows already gets no mail; callers cannot tell the difference.
   * @param network of the visitor, as `siteOfClient` names it
   * @returns id of the follower to whom the mail goes; undefined: nobody gets one
   * @throws RefusedInput on `email`; TooManyFollowers on `email`
   */
  async ask({ email, language, eventId, isOwn = false }: NewFollower, network: string): Promise<string | undefined> {
    const address = email.trim();
    const fault = emailFault(address);
    if (fault) throw fault;
    return this.db.transaction(async (tx) => {
      const mark = this.links.markOf(`follower network:${currentTenant().id}:${network}`);
      if (!isOwn) await refuseBusyNetwork(tx, mark);
      // `returning` after a refused `do update` gives no row: the pause between mails is decided by the database.
      const [row] = await tx.query<{ id: string; recipient: string }[]>(
        `insert into follower as known (email, email_key, language, network, event_id)
         select $1::text, $2::text, $3::text, $4::text, $8::uuid where (select count(*) from follower other
           where other.email_key = $2::text and other.confirmed_at is null and other.event_id is distinct from $8::uuid) < $9::int
         on conflict ${eventId === undefined ? '(email_key) where event_id is null' : '(event_id, email_key) where event_id is not null'}
         do update set language = excluded.language, mails = known.mails + 1, asked_at = excluded.asked_at
         where known.confirmed_at is null
           and ($7::boolean or known.mails < $5::int and known.asked_at < (select now() - make_interval(secs => $6::int)))
         returning id, email as recipient`,
        [address, emailKey(address), language, mark, mostMails, mailPauseSeconds, isOwn, eventId ?? null, mostUnconfirmed],
      );
      if (!row) return undefined;
      if (isOwn) await this.confirmIn(tx, row.id);
      else await this.mails.add(tx, 'follow-confirm', { followerId: row.id, recipient: row.recipient });
      return row.id;
    });
  }

  /** @returns undefined when nobody follows (any more) with this id */
  find(id: string): Promise<ShownFollower | undefined> {
    return this.db.transaction(async (tx) => {
      const [row] = await tx.query<ShownFollower[]>(
        `select follower.id, email, language, confirmed_at as "confirmedAt", told_at as "toldAt",
           case when event.id is not null then json_build_object('id', event.id, 'name', event.name, 'slug', event.slug) end as event
         from follower left join event on event.id = follower.event_id where follower.id = $1`,
        [id],
      );
      return row;
    });
  }

  /** Confirms a follower who opened the mailed link. A repeated call changes nothing. */
  confirm(id: string): Promise<void> {
    return this.db.transaction((tx) => this.confirmIn(tx, id));
  }

  /** Ends the following, also when a mail server refuses the address. The mails about it are forgotten. */
  async leave(id: string): Promise<void> {
    await this.db.transaction((tx) => tx.query('delete from follower where id = $1', [id]));
  }

  /** Forgets who followed with an address. @param ofPerson SQL condition on the columns of `follower` */
  async erase(tx: Tx, ofPerson: string, values: readonly unknown[]): Promise<void> {
    await tx.query(`delete from follower where ${ofPerson}`, [...values]);
  }

  private async confirmIn(tx: Tx, id: string): Promise<void> {
    const [rows] = await tx.query<[{ emailKey: string; eventId: string | null }[], number]>(
      `update follower set confirmed_at = (select statement_timestamp()), network = null
       where id = $1 and confirmed_at is null returning email_key as "emailKey", event_id as "eventId"`,
      [id],
    );
    for (const { emailKey: key, eventId } of rows) {
      await rememberVerified(tx, key);
      if (eventId !== null) await this.jobs.add(tx, salesOpeningJob, eventId);
    }
  }
}

/** Serialises the forms of a network, so that simultaneous ones cannot exceed the limit together. */
async function refuseBusyNetwork(tx: Tx, network: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${currentTenant().id} followers of ${network}`]);
  const [row] = await tx.query<{ count: number }[]>(
    `select count(*)::int as count from follower where network = $1 and created_at > statement_timestamp() - interval '1 hour'`,
    [network],
  );
  if ((row?.count ?? 0) >= mostOfNetwork) throw new TooManyFollowers('email', texts.localized('followers.tooMany'));
}
