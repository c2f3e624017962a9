import { Injectable } from '@nestjs/common';
import { TenantDb } from '#tenancy';
import { guestListStatement } from './guest-list.statement.js';

/** Tickets of one page: so many are read, sent and printed at once. */
export const guestsPerPage = 1000;

/** A valid admission ticket, or one that is paid at the venue. */
export type Guest = {
  readonly id: string;
  readonly reservationId: string;
  /** Equal for tickets that belong together. */
  readonly party: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly price: string;
  readonly product: string;
  readonly state: 'toPay' | 'expected' | 'inside' | 'outside';
};

/** A page of the guest list, all of one moment. Times are ISO 8601 in UTC. */
export type GuestPage = {
  readonly event: { readonly id: string; readonly name: string; readonly startsAt: string };
  readonly at: string;
  /** Guests on all pages, and those of them who are inside. */
  readonly total: number;
  readonly inside: number;
  readonly guests: readonly Guest[];
};

/** Lists people with their names, for staff. */
@Injectable()
export class GuestListService {
  constructor(private readonly db: TenantDb) {}

  /**
   * @param page from 0
   * @returns undefined when there is no such event
   */
  async of(eventId: string, { onlyInside, page }: { onlyInside: boolean; page: number }): Promise<GuestPage | undefined> {
    const values = [eventId, onlyInside, guestsPerPage, page * guestsPerPage];
    return (await this.db.statement<GuestPage>(guestListStatement, values))[0];
  }
}
