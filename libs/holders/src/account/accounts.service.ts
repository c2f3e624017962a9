import type { MembershipStatus } from '#memberships';
import { awaitsConfirmationSql, validMembershipSql } from '#tickets';
import { eventIsOverSql } from '#catalogue';
import { SETTINGS, type Settings } from '#kernel';
import { TenantDb, type PreparedStatement } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { ofPersonSql, valuesOfPerson, type AccountPerson } from './account-person.js';

/** What a booking waits for, or what became of it. */
export type AccountBookingState = 'confirmed' | 'unconfirmed' | 'unpaid' | 'atVenue' | 'byTransfer' | 'lapsed' | 'cancelled';

/** A reservation, or a ticket that somebody gave to the person. */
export interface AccountBooking {
  readonly kind: 'reservation' | 'ticket';
  readonly id: string;
  /** Version of its links. */
  readonly version: number;
  readonly state: AccountBookingState;
  /** Number of tickets that are not cancelled. */
  readonly tickets: number;
  /** It has goods alone, which are not called tickets. */
  readonly isGoods: boolean;
  readonly event: { readonly name: string; readonly slug: string; readonly startsAt: Date; readonly endsAt: Date | null };
}

/** One page of a list. */
export interface AccountList {
  readonly bookings: readonly AccountBooking[];
  readonly hasMore: boolean;
}

export interface AccountMembership {
  readonly id: string;
  readonly version: number;
  readonly status: MembershipStatus;
  readonly product: string;
  readonly price: string;
  readonly validFrom: Date;
  readonly validUntil: Date | null;
  /** It is valid now. */
  readonly isValid: boolean;
  /** It has an end, and no later one of the same product follows: its page leads to the renewal. */
  readonly isRenewable: boolean;
  /** It is renewed and charged by itself. */
  readonly renewsItself: boolean;
}

/** Bookings on one page of a list. */
export const accountPageSize = 20;
/** The newest memberships are shown. */
const mostMemberships = 50;

type Row = Omit<AccountBooking, 'event'> & AccountBooking['event'];

/** What a tenant knows about the owner of a verified address. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly db: TenantDb,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Bookings of the person: coming ones in the order of the events, or past, cancelled and lapsed ones, latest event first.
   * @param page from 1
   */
  async bookings(person: AccountPerson, which: 'coming' | 'past', page: number): Promise<AccountList> {
    const isComing = which === 'coming';
    const rows = await this.db.transaction((tx) =>
      tx.query<Row[]>(
        `select booking.kind, booking.id, booking.version, booking.state, booking.tickets, booking."isGoods", event.name, event.slug,
           event.starts_at as "startsAt", event.ends_at as "endsAt"
         from (${bookingsSql}) booking join event on event.id = booking.event_id
         where (booking.state in ('confirmed', 'unconfirmed', 'unpaid', 'atVenue', 'byTransfer')
           and not ${eventIsOverSql('event', this.settings)}) = $5
         order by event.starts_at ${isComing ? 'asc' : 'desc'}, booking.created_at desc, booking.id limit $3 offset $4`,
        [...valuesOfPerson(person), accountPageSize + 1, (page - 1) * accountPageSize, isComing],
      ),
    );
    const bookings = rows.slice(0, accountPageSize).map(({ name, slug, startsAt, endsAt, ...booking }) => {
      return { ...booking, event: { name, slug, startsAt, endsAt } };
    });
    return { bookings, hasMore: rows.length > accountPageSize };
  }

  /** The newest memberships of the person, those that last longest first. */
  memberships(person: AccountPerson): Promise<AccountMembership[]> {
    return this.db.transaction((tx) =>
      tx.query<AccountMembership[]>(
        `select membership.id, membership.link_version as version, membership.status, product.name as product, price.name as price,
           membership.valid_from as "validFrom", membership.valid_until as "validUntil", ${validMembershipSql()} as "isValid",
           membership.status = 'active' and membership.valid_until is not null and not exists (select 1 from membership later
             where later.product_id = membership.product_id and later.email_key = membership.email_key and later.status = 'active'
               and coalesce(later.valid_until > membership.valid_until, true)) as "isRenewable",
           membership.status = 'active' and product.auto_renewal and exists (select 1 from membership_renewal renewal
             where renewal.membership_id = membership.id and renewal.ended is null) as "renewsItself"
         from membership join product on product.id = membership.product_id join price on price.id = membership.price_id
         where ${ofPersonSql('membership.')} and membership.status <> 'cancelled'
         order by membership.valid_until desc nulls first, membership.id limit ${mostMemberships}`,
        valuesOfPerson(person),
      ),
    );
  }

  /** The products of the person's memberships that are valid now. Their prices for members are for this person. */
  async heldMemberships(person: AccountPerson): Promise<ReadonlySet<string>> {
    const rows = await this.db.statement<{ id: string }>(heldStatement, valuesOfPerson(person));
    return new Set(rows.map(({ id }) => id));
  }
}

const heldStatement: PreparedStatement = {
  name: 'account-held-memberships',
  text: `select distinct membership.product_id as id from {tenant}.membership
    where ${ofPersonSql('membership.')} and ${validMembershipSql()}`,
};

const stateSql = `case when reservation.status = 'C' then 'cancelled' when reservation.status not in ('R', 'U', 'F') then 'confirmed'
  when reservation.expires_at <= statement_timestamp() then 'lapsed' when ${awaitsConfirmationSql('reservation')} then 'unconfirmed'
  when not reservation.pay_at_venue then 'unpaid'
  when exists (select from bank_transfer where order_id = coalesce(reservation.cart_id, reservation.id)) then 'byTransfer'
  else 'atVenue' end`;

/** SQL: the reservations of the person, and the tickets that others gave to the person. */
const bookingsSql = `select 'reservation' as kind, reservation.id, reservation.link_version as version, reservation.event_id,
    reservation.created_at, ${stateSql} as state,
    (select count(*)::int from ticket where ticket.reservation_id = reservation.id and ticket.status <> 'R') as tickets,
    not exists (select 1 from ticket where ticket.reservation_id = reservation.id and ticket.admission) as "isGoods"
  from reservation where ${ofPersonSql('reservation.')} and not reservation.is_draft
  union all
  select 'ticket', ticket.id, ticket.code_version, ticket.event_id, ticket.created_at,
    case when ticket.status = 'R' then 'cancelled' else ${stateSql} end, 1, not ticket.admission
  from ticket join reservation on reservation.id = ticket.reservation_id where ${ofPersonSql('ticket.', 'holder_key', 'holder_email')}`;
