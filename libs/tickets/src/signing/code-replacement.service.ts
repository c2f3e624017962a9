import { eventIsOverSql } from '#catalogue';
import { SETTINGS, type Settings } from '#kernel';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { JobsService } from '#jobs';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { MailsService } from '../mails/mails.service.js';
import { lastLookSeconds } from '../booking-jobs.js';
import { SigningKeysService } from './signing-keys.service.js';

/** Re-signs tickets and memberships after a signing key was revoked; its subject is the tenant. */
const codeReplacementJob = 'code-replacement';

/** Reservations and memberships per job step; other work runs between steps. */
const stepSize = 50;

const isRevoked = 'signing_key_id in (select id from signing_key where revoked_at is not null)';

export interface Replacement {
  /** Tickets whose codes are still signed by a revoked key. */
  readonly tickets: number;
  /** Memberships whose codes are still signed by a revoked key. */
  readonly memberships: number;
}

/** Issues new codes for tickets and memberships after their signing key was revoked, and mails them to the holders. */
@Injectable()
export class CodeReplacementService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly signingKeys: SigningKeysService,
    private readonly mails: MailsService,
    private readonly jobs: JobsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(codeReplacementJob, () => this.step());
  }

  /**
   * Revokes a signing key permanently. Scanning refuses its codes within a second; a background job re-signs tickets and memberships and
   * mails those that can still be used. Repeating the call has no further effect.
   * @param keyId default: the key that currently signs
   * @returns the id of the revoked key
   * @throws RefusedInput on `key` when the tenant has no such key, or all 255 ids are used
   */
  revoke(keyId?: number): Promise<number> {
    return this.db.transaction(async (tx) => {
      const revoked = await this.signingKeys.revoke(tx, keyId);
      await this.jobs.add(tx, codeReplacementJob, currentTenant().id);
      return revoked;
    });
  }

  /** Number of codes of the current tenant that are not replaced yet. */
  left(): Promise<Replacement> {
    return this.db.transaction(async (tx) => {
      const [left] = await tx.query<Replacement[]>(
        `select (select count(*)::int from ticket where status <> 'R' and ${isRevoked}) as tickets,
           (select count(*)::int from membership where status <> 'cancelled' and ${isRevoked}) as memberships`,
      );
      return left as Replacement;
    });
  }

  /** Re-signs some codes and schedules the next step. When none are left shortly after the revocation, another check is scheduled. */
  private async step(): Promise<void> {
    await this.db.transaction(async (tx) => {
      const keyId = await this.signingKeys.currentId(tx);
      const done = (await this.replaceTickets(tx, keyId)) + (await this.replaceCards(tx, keyId));
      const again = { afterSeconds: done > 0 ? 0 : lastLookSeconds };
      if (done > 0 || (await wasRevokedJustNow(tx))) await this.jobs.add(tx, codeReplacementJob, currentTenant().id, again);
    });
  }

  private async replaceTickets(tx: Tx, keyId: number): Promise<number> {
    const reservations = await tx.query<{ id: string; email: string | null; wasMailed: boolean }[]>(
      `select reservation.id, email, status in ('V', 'PN', 'PE') and not ${eventIsOverSql('event', this.settings)} as "wasMailed"
       from reservation join event on event.id = reservation.event_id
       where reservation.id in (select reservation_id from ticket where ticket.status <> 'R' and ${isRevoked} limit ${stepSize})
       order by reservation.id for no key update of reservation`,
    );
    const [replaced] = await tx.query<[{ id: string; reservationId: string; isValid: boolean; holderEmail: string | null }[], number]>(
      `update ticket set signing_key_id = $1 where reservation_id = any($2) and ${isRevoked}
       returning id, reservation_id as "reservationId", status = 'K' as "isValid", holder_email as "holderEmail"`,
      [keyId, reservations.map(({ id }) => id)],
    );
    for (const { id, email, wasMailed } of reservations) {
      const valid = replaced.filter(({ reservationId, isValid }) => reservationId === id && isValid);
      // Otherwise the mail with the tickets was not sent yet and will contain the new codes.
      if (!wasMailed) continue;
      if (email && valid.some(({ holderEmail }) => holderEmail === null))
        await this.mails.add(tx, 'tickets-replaced', { reservationId: id, recipient: email });
      for (const { id: ticketId, holderEmail } of valid)
        if (holderEmail !== null) await this.mails.add(tx, 'tickets-replaced', { reservationId: id, ticketId, recipient: holderEmail });
    }
    return reservations.length;
  }

  private async replaceCards(tx: Tx, keyId: number): Promise<number> {
    const [cards] = await tx.query<[{ id: string; email: string; isValid: boolean }[], number]>(
      `update membership set signing_key_id = $1
       where id in (select id from membership where status <> 'cancelled' and ${isRevoked} order by id limit ${stepSize} for no key update)
       returning id, email, status = 'active' and coalesce(valid_until > (select now()), true) as "isValid"`,
      [keyId],
    );
    for (const { id, email, isValid } of cards)
      if (isValid) await this.mails.add(tx, 'membership-replaced', { membershipId: id, recipient: email });
    return cards.length;
  }
}

async function wasRevokedJustNow(tx: Tx): Promise<boolean> {
  const [young] = await tx.query<unknown[]>('select 1 from signing_key where revoked_at > now() - make_interval(secs => $1) limit 1', [
    lastLookSeconds,
  ]);
  return young !== undefined;
}
