import { lockMembership, publishMembershipUpdate } from '#memberships';
import { ReservationPublisherService, lockReservation } from '#tickets';
import { FollowersService } from '#notices';
import { WaitingListService } from '#waiting';
import { eventIsOverSql } from '#catalogue';
import { retryOnDeadlock, SETTINGS, type Settings } from '#kernel';
import { MailTransportService } from '#messages';
import { JobsService } from '#jobs';
import { eraseRecorded, forgetRecorded, InvitationsService, TenantDb, type Tx } from '#tenancy';
import { OutboxService, PersonalEventsService } from '#webhooks';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  eraseCorrectionRows,
  eraseCustomerRows,
  eraseGiftCardRows,
  eraseMembershipRows,
  eraseReservationRows,
  eraseTicketRows,
  eraseTransferRows,
  idsOfReservation,
  isUnderWaySql,
  owesAsCustomerSql,
  toBuyerSql,
} from './account-erasure-rows.js';
import { ofPersonSql, valuesOfPerson, type AccountPerson } from './account-person.js';
import { sessionHash } from './account-sessions.service.js';

/** Erases a person's data; its subject is the row of `account_session` with which it was asked for. */
const accountErasureJob = 'account-erasure';

/** Why nothing can be erased now: something coming is booked, or a payment or refund is under way. */
export type ErasureObstacle = 'coming' | 'payment';

/**
 * Erases what identifies a person. Sales remain without name and address, because accounting needs them: what was sold, when, for how
 * much, with which VAT and payment. Answers, mails with their files and entries of waiting lists are deleted; memberships end; events of
 * webhooks lose the person.
 */
@Injectable()
export class AccountErasureService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly jobs: JobsService,
    private readonly publisher: ReservationPublisherService,
    private readonly outbox: OutboxService,
    private readonly waiting: WaitingListService,
    private readonly followers: FollowersService,
    private readonly events: PersonalEventsService,
    private readonly transport: MailTransportService,
    private readonly invitations: InvitationsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(accountErasureJob, (id) => this.run(id));
  }

  /** @returns undefined when the person's data can be erased now */
  obstacle(person: AccountPerson): Promise<ErasureObstacle | undefined> {
    return this.db.transaction((tx) => this.obstacleIn(tx, person));
  }

  /**
   * Ends the session and erases the data in the background.
   * @param token of the session's cookie
   * @returns the obstacle, when there is one; then nothing changes
   */
  request(person: AccountPerson, token: string): Promise<ErasureObstacle | undefined> {
    return this.db.transaction(async (tx) => {
      const obstacle = await this.obstacleIn(tx, person);
      if (obstacle) return obstacle;
      const [rows] = await tx.query<[{ id: string }[], number]>(
        'update account_session set token_hash = null, ends_at = null where token_hash = $1 returning id',
        [sessionHash(token)],
      );
      for (const { id } of rows) await this.jobs.add(tx, accountErasureJob, id);
      return undefined;
    });
  }

  /**
   * Erases the data of the person who asked with this session.
   */
  async run(id: string): Promise<void> {
    const person = await this.db.transaction(async (tx) => {
      const [row] = await tx.query<AccountPerson[]>('select email, email_key as "emailKey" from account_session where id = $1', [id]);
      return row;
    });
    if (person) await this.erase(person);
  }

  /**
   * Erases the data of a person. What was booked meanwhile stays. A repeated call goes on where the last one stopped.
   * @param keep whether the person goes on to follow the venue by mail, and to be the contact of customers that buy on account
   */
  async erase(person: AccountPerson, keep: { readonly following: boolean } = { following: false }): Promise<void> {
    // Files first: the rows that name them are deleted below.
    await this.transport.forget(person.email, await this.mailsTo(person));
    for (const one of await this.idsOf('reservation', person, `${ofPersonSql('')} and not is_draft`)) await this.reservation(one, person);
    for (const one of await this.idsOf('ticket', person, ofPersonSql('', 'holder_key', 'holder_email'))) await this.ticket(one, person);
    for (const one of await this.idsOf('membership', person, ofPersonSql(''))) await this.membership(one, person);
    for (const one of await this.idsOf('waiting_entry', person, ofPersonSql(''))) await this.waiting.leave(one);
    if (!keep.following) await this.changing((tx) => eraseCustomerRows(tx, person));
    await this.db.transaction(async (tx) => {
      const passed = await eraseTransferRows(tx, person);
      const moved = await eraseCorrectionRows(tx, person);
      const given = await reservationsOf(tx, passed);
      await forgetRecorded(tx, [...moved, ...given, ...(await eraseGiftCardRows(tx, person))]);
      await this.events.blank(tx, [...moved, ...passed, ...given], [...passed, person.email]);
      await tx.query(`delete from waiting_entry where ${ofPersonSql('')} and ended_at is not null`, valuesOfPerson(person));
      if (!keep.following) await this.followers.erase(tx, ofPersonSql(''), valuesOfPerson(person));
      await tx.query(
        `delete from verified_email where email_key = $1
           and not exists (select 1 from follower where follower.email_key = verified_email.email_key)`,
        [person.emailKey],
      );
      // To the panel. A right that was accepted stays with its account.
      await this.invitations.forgetIn(tx, person.email);
      await tx.query(`delete from account_session where ${ofPersonSql('')}`, valuesOfPerson(person));
    });
  }

  private async obstacleIn(tx: Tx, person: AccountPerson): Promise<ErasureObstacle | undefined> {
    const isOver = eventIsOverSql('event', this.settings);
    const open = (column: string, table: string): string =>
      `exists (select 1 from ${table} where ${ofPersonSql(`${table}.`)} and ${isUnderWaySql(column, table)})`;
    const [row] = await tx.query<{ coming: boolean; payment: boolean }[]>(
      `select exists (select 1 from reservation join event on event.id = reservation.event_id
           where ${ofPersonSql('reservation.')} and not reservation.is_draft and reservation.status <> 'C' and not ${isOver})
         or exists (select 1 from ticket join event on event.id = ticket.event_id
           where ${ofPersonSql('ticket.', 'holder_key', 'holder_email')} and ticket.status <> 'R' and not ${isOver})
         or exists (select 1 from membership where ${ofPersonSql('membership.')} and membership.status = 'pending') as coming,
         ${open('reservation_id', 'reservation')} or ${open('membership_id', 'membership')} or ${owesAsCustomerSql} as payment`,
      valuesOfPerson(person),
    );
    return row?.coming ? 'coming' : row?.payment ? 'payment' : undefined;
  }

  /** The mails to the person, also to addresses that were corrected since. */
  private async mailsTo(person: AccountPerson): Promise<string[]> {
    const rows = await this.db.transaction((tx) =>
      tx.query<{ id: string }[]>(
        `select id from mail where lower(recipient) = lower($2)
           or ${toBuyerSql} and reservation_id in (select id from reservation where ${ofPersonSql('')})
           or membership_id in (select id from membership where ${ofPersonSql('')})`,
        valuesOfPerson(person),
      ),
    );
    return rows.map(({ id }) => id);
  }

  private async idsOf(table: string, person: AccountPerson, where: string): Promise<string[]> {
    const rows = await this.db.transaction((tx) =>
      tx.query<{ id: string }[]>(`select id from ${table} where ${where} order by created_at, id`, valuesOfPerson(person)),
    );
    return rows.map(({ id }) => id);
  }

  private reservation(id: string, person: AccountPerson): Promise<void> {
    return this.changing(async (tx) => {
      if (!(await lockReservation(tx, id))) return;
      if (!(await eraseReservationRows(tx, id, person, this.settings))) return;
      const own = await idsOfReservation(tx, id);
      await this.events.blank(tx, own, own);
      await this.publisher.publish(tx, 'reservation.updated', id);
    });
  }

  private ticket(id: string, person: AccountPerson): Promise<void> {
    return this.changing(async (tx) => {
      const [row] = await tx.query<{ reservationId: string }[]>('select reservation_id as "reservationId" from ticket where id = $1', [id]);
      if (!row || !(await lockReservation(tx, row.reservationId))) return;
      if (!(await eraseTicketRows(tx, id, person, this.settings))) return;
      await this.events.blank(tx, [id, row.reservationId], [id]);
      await tx.query('update reservation set sequence = sequence + 1 where id = $1', [row.reservationId]);
      await this.publisher.publish(tx, 'reservation.updated', row.reservationId);
    });
  }

  private membership(id: string, person: AccountPerson): Promise<void> {
    return this.changing(async (tx) => {
      if (!(await lockMembership(tx, id))) return;
      if (!(await eraseMembershipRows(tx, id, person))) return;
      await this.events.blank(tx, [id], [id]);
      await publishMembershipUpdate(tx, this.outbox, id);
    });
  }

  private changing(work: (tx: Tx) => Promise<void>): Promise<void> {
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        await eraseRecorded(tx);
        await work(tx);
      }),
    );
  }
}

/** The reservations of tickets. */
async function reservationsOf(tx: Tx, tickets: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }[]>('select distinct reservation_id as id from ticket where id = any($1)', [tickets]);
  return rows.map(({ id }) => id);
}
