import { TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { awaitsConfirmationSql } from '../entities/reservation-states.js';
import { ReservationChangesService } from '../changes/reservation-changes.service.js';

/** Confirms reservations by the link in their mail, and what else belongs to their carts. */
@Injectable()
export class CartVerificationService {
  constructor(
    private readonly db: TenantDb,
    private readonly changes: ReservationChangesService,
  ) {}

  /**
   * Like `ReservationChangesService.verify`. The link came from the mailbox of the buyer, so it confirms the other reservations of the same
   * cart and address that await it, too.
   * @param linkVersion version in the link
   */
  async verify(id: string, linkVersion: number): Promise<void> {
    const others = await this.othersOf(id, linkVersion);
    await this.changes.verify(id, linkVersion);
    for (const other of others) await this.changes.verify(other);
  }

  /** The reservations that the link confirms beside its own; none when it confirms nothing. */
  private othersOf(id: string, linkVersion: number): Promise<string[]> {
    return this.db.transaction(async (tx) => {
      const rows = await tx.query<{ id: string }[]>(
        `select other.id from reservation own join reservation other on other.cart_id = own.cart_id and other.email_key = own.email_key
         where own.id = $1 and ${awaitsConfirmationSql('own')} and own.link_version = $2
           and other.id <> own.id and ${awaitsConfirmationSql('other')}
         order by other.id`,
        [id, linkVersion],
      );
      return rows.map((row) => row.id);
    });
  }
}
