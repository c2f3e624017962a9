import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { JobsService } from '#jobs';
import { TenantDb, type Tx } from '#tenancy';
import { mailJob } from './mail-jobs.js';
import type { MailKind } from './mail.entity.js';

export interface NewMail {
  readonly reservationId?: string;
  readonly membershipId?: string;
  /** Empty: nobody can be written to. */
  readonly recipient: string;
  /** Words of the venue. */
  readonly note?: string;
}

/** Messages to holders, written beside the change they tell and sent by the worker. */
@Injectable()
export class MailsService {
  constructor(
    private readonly jobs: JobsService,
    private readonly db: TenantDb,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Whether mails leave for their receivers. Without a mail server they are kept as files, and nobody may be told that one is on its way.
   */
  get deliver(): boolean {
    return this.settings.smtpUrl !== undefined;
  }

  /** Adds a message, unless nobody can be written to. */
  async add(tx: Tx, kind: MailKind, { reservationId, membershipId, recipient, note }: NewMail): Promise<void> {
    if (recipient === '') return;
    const [row] = await tx.query<{ id: string }[]>(
      'insert into mail (kind, reservation_id, membership_id, recipient, note) values ($1, $2, $3, $4, $5) returning id',
      [kind, reservationId ?? null, membershipId ?? null, recipient, note ?? null],
    );
    const { id } = row as { id: string };
    await this.jobs.add(tx, mailJob, id);
  }

  /** What waits about a reservation is not sent any more: something newer is to be said. */
  withdraw(tx: Tx, reservationId: string): Promise<void> {
    return this.withdrawAbout(tx, 'reservation_id', reservationId);
  }

  /**
   * Sends the holder of a reservation once more what is due: the tickets, or the request to confirm the address. What waits is not sent
   * twice.
   * @returns what is sent; undefined when there is no such reservation, it has no address, or nothing is due in its state
   */
  resend(reservationId: string): Promise<MailKind | undefined> {
    return this.db.transaction(async (tx) => {
      const [reservation] = await tx.query<{ id: string; status: string; email: string }[]>(
        'select id, status, email from reservation where id = $1 for no key update',
        [reservationId],
      );
      return reservation && this.sendDue(tx, reservation);
    });
  }

  /** The same inside a transaction that has locked it. */
  async sendDue(
    tx: Tx,
    { id, status, email }: { readonly id: string; readonly status: string; readonly email: string },
  ): Promise<MailKind | undefined> {
    const kind = dueKinds[status];
    if (!kind || email === '') return undefined;
    await this.withdraw(tx, id);
    await this.add(tx, kind, { reservationId: id, recipient: email });
    return kind;
  }

  /**
   * Sends a member the card once more. What waits is not sent twice.
   * @returns what is sent; undefined when there is no such membership, or it is not paid, cancelled or over
   */
  resendCard(membershipId: string): Promise<MailKind | undefined> {
    return this.db.transaction((tx) => this.sendCard(tx, membershipId));
  }

  /** The same inside a transaction. */
  async sendCard(tx: Tx, membershipId: string): Promise<MailKind | undefined> {
    const [membership] = await tx.query<{ recipient: string }[]>(
      `select email as recipient from membership where id = $1 and status = 'active' and coalesce(valid_until > now(), true)
       for no key update`,
      [membershipId],
    );
    if (!membership) return undefined;
    await this.withdrawAbout(tx, 'membership_id', membershipId);
    await this.add(tx, 'membership', { membershipId, ...membership });
    return 'membership';
  }

  private async withdrawAbout(tx: Tx, column: 'reservation_id' | 'membership_id', id: string): Promise<void> {
    const [rows] = await tx.query<[{ id: string }[], number]>(
      `update mail set status = 'obsolete' where ${column} = $1 and status = 'waiting' returning id`,
      [id],
    );
    for (const mail of rows) await this.jobs.cancel(tx, mailJob, mail.id);
  }
}

/** What the holder of a reservation in a state is waiting for. */
const dueKinds: Readonly<Record<string, MailKind | undefined>> = {
  F: 'confirm-email',
  FA: 'tickets',
  P: 'tickets',
  PE: 'tickets',
  PN: 'tickets',
  V: 'tickets',
};
