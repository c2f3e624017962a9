import { Injectable } from '@nestjs/common';
import { Jobs, type Tx } from '#tenancy';
import { mailJob } from '../reservations/reservation-jobs.js';
import type { MailKind } from './mail.entity.js';

export interface NewMail {
  readonly reservationId?: string;
  readonly membershipId?: string;
  readonly recipient: string;
  /** Words of the venue. */
  readonly note?: string;
}

/** Messages to holders, written beside the change they tell and sent by the worker. */
@Injectable()
export class Mails {
  constructor(private readonly jobs: Jobs) {}

  /** @returns the id of the message */
  async add(tx: Tx, kind: MailKind, { reservationId, membershipId, recipient, note }: NewMail): Promise<string> {
    const [row] = await tx.query<{ id: string }[]>(
      'insert into mail (kind, reservation_id, membership_id, recipient, note) values ($1, $2, $3, $4, $5) returning id',
      [kind, reservationId ?? null, membershipId ?? null, recipient, note ?? null],
    );
    const { id } = row as { id: string };
    await this.jobs.add(tx, mailJob, id);
    return id;
  }

  /** What waits about a reservation is not sent any more: something newer is to be said. */
  async withdraw(tx: Tx, reservationId: string): Promise<void> {
    const [rows] = await tx.query<[{ id: string }[], number]>(
      `update mail set status = 'obsolete' where reservation_id = $1 and status = 'waiting' returning id`,
      [reservationId],
    );
    for (const { id } of rows) await this.jobs.cancel(tx, mailJob, id);
  }
}
