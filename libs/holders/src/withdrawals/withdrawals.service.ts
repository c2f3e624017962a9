import { GiftCardsService } from '#gift-cards';
import {
  emailFault,
  hasWithdrawal,
  type LinkSubject,
  loadReservations,
  MailsService,
  refuseUnfitName,
  ReservationChangesService,
  withdrawableGoods,
} from '#tickets';
import { RefusedInput, RefusedInputs, refusalsOf, retryOnDeadlock } from '#kernel';
import {
  loadMembership,
  loadMemberships,
  lockMembership,
  membershipContractName,
  MembershipsService,
  membershipWithdrawableUntil,
} from '#memberships';
import { TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { ofPersonSql, valuesOfPerson, type AccountPerson } from '../account/account-person.js';
import { texts } from '../locales/holders.texts.js';

/** What a consumer states to withdraw (article 11a of Directive 2011/83/EU), beside the contract. */
export interface WithdrawalStatement {
  readonly firstName: string;
  readonly lastName: string;
  /** Where the receipt is sent. */
  readonly email: string;
}

/** A contract from which its buyer may withdraw. */
export interface OpenContract {
  readonly subject: LinkSubject;
  /** Version of its links. */
  readonly version: number;
  /** Of the event or the membership. */
  readonly name: string;
}

/** Contracts of each kind that an account looks through. */
const mostContracts = 20;

/**
 * Withdrawals by buyers from goods, memberships and gift cards. One is a cancellation with its own reason: it ends the
 * membership or the card, returns stock and makes the refund due. The statement is kept as the mail that confirms it.
 */
@Injectable()
export class WithdrawalsService {
  constructor(
    private readonly db: TenantDb,
    private readonly changes: ReservationChangesService,
    private readonly memberships: MembershipsService,
    private readonly giftCards: GiftCardsService,
    private readonly mails: MailsService,
  ) {}

  /** The newest contracts of a person from which one may withdraw now. */
  ofPerson(person: AccountPerson): Promise<OpenContract[]> {
    return this.db.transaction(async (tx) => {
      if (!(await applies(tx))) return [];
      const idsOf = async (sql: string): Promise<string[]> =>
        (await tx.query<{ id: string }[]>(`${sql} order by created_at desc limit ${mostContracts}`, valuesOfPerson(person))).map(
          ({ id }) => id,
        );
      const memberships = await loadMemberships(
        tx,
        await idsOf(`select id from membership where ${ofPersonSql('')} and status = 'active'`),
      );
      const reservations = await loadReservations(
        tx,
        await idsOf(`select id from reservation where ${ofPersonSql('')} and status <> 'C' and not is_draft
          and exists (select 1 from ticket where reservation_id = reservation.id and not admission and ticket.status <> 'R')`),
      );
      return [
        ...memberships
          .filter((membership) => membershipWithdrawableUntil(membership) !== undefined)
          .map((membership) => ({
            subject: { membershipId: membership.id },
            version: membership.linkVersion,
            name: membershipContractName(membership),
          })),
        ...reservations
          .filter((reservation) => withdrawableGoods(reservation).length > 0)
          .map(({ id, linkVersion: version, event: { name } }) => ({ subject: { reservationId: id }, version, name })),
      ];
    });
  }

  /** @throws RefusedInputs on `firstName`, `lastName`, `email` */
  check(statement: WithdrawalStatement): void {
    const isNameless = nameOf(statement) === '';
    const faults = [
      ...refusalsOf(() => refuseUnfitName(statement)),
      ...(isNameless ? [new RefusedInput('firstName', texts.localized('withdrawal.name'))] : []),
      ...(emailFault(statement.email) ?? { faults: [] }).faults,
    ];
    if (faults.length > 0) throw new RefusedInputs(faults);
  }

  /**
   * Withdraws from a membership and records its refund.
   * @returns false when that is not possible now, or was done before
   * @throws RefusedInputs of `check`
   */
  async fromMembership(id: string, statement: WithdrawalStatement): Promise<boolean> {
    this.check(statement);
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        const locked = await lockMembership(tx, id);
        const current = locked && (await loadMembership(tx, id));
        if (!locked || !current || !membershipWithdrawableUntil(current) || !(await applies(tx))) return false;
        const [taken] = await tx.query<[unknown[], number]>(
          'update membership set withdrawn_at = (select now()) where id = $1 and withdrawn_at is null returning id',
          [id],
        );
        if (taken.length === 0) return false;
        await this.memberships.cancelIn(tx, locked, undefined, 'withdrawal');
        await this.confirm(tx, { membershipId: id }, statement);
        return true;
      }),
    );
  }

  /**
   * Withdraws from the purchase of a gift card that was not used, and records its refund.
   * @returns false when that is not possible now, or was done before
   * @throws RefusedInputs of `check`
   */
  async fromGiftCard(orderId: string, statement: WithdrawalStatement): Promise<boolean> {
    this.check(statement);
    return this.giftCards.withdraw(orderId, (tx, { id: giftCardId }) => this.confirm(tx, { giftCardId }, statement));
  }

  /**
   * Withdraws from goods of a reservation. What was not handed out is cancelled, and its refund recorded; what was, is first to be brought
   * back, and then cancelled by staff. Goods from which the buyer withdrew before stay unchanged.
   * @returns false when none of them can be withdrawn from
   * @throws RefusedInputs of `check`; RefusedTransition while a payment is under way
   */
  async fromGoods(reservationId: string, ids: readonly string[], statement: WithdrawalStatement): Promise<boolean> {
    this.check(statement);
    // Filled under the lock, because goods may be handed out until then.
    const cancelled: string[] = [];
    try {
      const done = await this.changes.cancelTickets(reservationId, cancelled, { reason: 'withdrawal' }, async (_, tx) => {
        cancelled.length = 0;
        // Handing out locks the goods, not the reservation.
        await tx.query('select id from ticket where reservation_id = $1 order by id for no key update', [reservationId]);
        const [current] = await loadReservations(tx, [reservationId]);
        const goods = current ? withdrawableGoods(current).filter(({ id }) => ids.includes(id)) : [];
        const [taken] = await tx.query<[{ id: string }[], number]>(
          `update ticket set withdrawn_at = (select now()) where id = any($1) and withdrawn_at is null returning id`,
          [(await applies(tx)) ? goods.map(({ id }) => id) : []],
        );
        const ticketIds = taken.map(({ id }) => id);
        const [ticketId] = ticketIds;
        if (ticketId === undefined) throw new NothingLeft();
        cancelled.push(...goods.flatMap(({ id, fulfilledAt }) => (fulfilledAt === null && ticketIds.includes(id) ? id : [])));
        // A mail about tickets stays when the mail with all tickets is sent again.
        await this.confirm(tx, { reservationId, ticketId, ticketIds }, statement);
      });
      return done !== undefined;
    } catch (error) {
      if (error instanceof NothingLeft) return false;
      throw error;
    }
  }

  /** Adds the receipt, which has the statement. */
  private confirm(
    tx: Tx,
    about: { membershipId: string } | { giftCardId: string } | { reservationId: string; ticketId: string; ticketIds: readonly string[] },
    statement: WithdrawalStatement,
  ): Promise<void> {
    return this.mails.add(tx, 'withdrawal', { ...about, recipient: statement.email.trim(), note: nameOf(statement) });
  }
}

const nameOf = ({ firstName, lastName }: WithdrawalStatement): string => `${firstName.trim()} ${lastName.trim()}`.trim();

class NothingLeft extends Error {}

/** Whether the law applies at the venue, which cannot switch it off. */
async function applies(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ country: string | null }[]>('select country from configuration where id = 1');
  return hasWithdrawal(row?.country);
}
