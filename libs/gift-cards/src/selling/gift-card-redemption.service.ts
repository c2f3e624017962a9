import { Injectable } from '@nestjs/common';
import { fromCents, kernelProblem, RefusedInput, retryOnDeadlock, sumOf, toCents } from '#kernel';
import { chooseGiftCard, chosenGiftCards, forgetGiftCards, type OrderPart } from '#orders';
import {
  CheckoutsService,
  GiftCardPaymentsService,
  inLockingOrder,
  PaymentsService,
  PaymentSubjects,
  SubjectUnavailable,
  type DuePart,
  type VenueMethod,
} from '#payments';
import { CodeGuessesService, TenantDb, type Tx } from '#tenancy';
import { cardCodeKey, lockCard, tailOf, valued, type ValuedGiftCard } from '../rows/card-rows.js';
import { GiftCard } from '../rows/gift-card.entity.js';
import { BroughtCardsService } from '../network/brought-cards.service.js';
import { NetworkCardsService, type TakenValue } from '../network/network-cards.service.js';
import { sharesOf } from './card-shares.js';
import { RefusedGiftCard, refuseUnusable } from '../rows/refused-gift-card.js';

/** Who tries codes: a network, or an API key. */
type Guesser = { readonly client: string } | { readonly keyId: string };

/** A card that a buyer entered for an order. */
export interface ChosenGiftCard {
  readonly id: string;
  /** The end of its code. */
  readonly tail: string;
  /** What it has left beside what this order has reserved, decimal text. */
  readonly balance: string;
}

/** Pays with gift cards: at the pages, at the box office and through the API. */
@Injectable()
export class GiftCardRedemptionService {
  constructor(
    private readonly db: TenantDb,
    private readonly subjects: PaymentSubjects,
    private readonly payments: PaymentsService,
    private readonly cardPayments: GiftCardPaymentsService,
    private readonly checkouts: CheckoutsService,
    private readonly guesses: CodeGuessesService,
    private readonly network: NetworkCardsService,
    private readonly brought: BroughtCardsService,
  ) {}

  /**
   * The card with a code that somebody typed, of this venue or of one of its networks. Trying codes is limited like sign-in; staff are not
   * limited.
   * @returns also a card that cannot pay (any more)
   * @throws RefusedGiftCard when there is none, or too many were tried, or its venue cannot be asked; Problem 429 `rate.limited` for an API
   *   key
   */
  async look(typed: string, guesser?: Guesser): Promise<ValuedGiftCard> {
    const code = cardCodeKey(typed);
    const found =
      code === undefined ? undefined : ((await this.db.transaction((tx) => cardOf(tx, code))) ?? (await this.network.look(code)));
    const seconds = guesser ? await this.guesses.waitOf(guesser, found !== undefined) : 0;
    if (guesser && 'keyId' in guesser && seconds > 0)
      throw kernelProblem('rate.limited', { parameters: { seconds }, headers: { 'Retry-After': String(seconds) } });
    if (seconds > 0) throw new RefusedGiftCard('tries');
    if (!found) throw new RefusedGiftCard('unknown');
    return found;
  }

  /** The same, for a card that can pay. @throws RefusedGiftCard, which says why it cannot */
  async enter(typed: string, guesser?: Guesser): Promise<ValuedGiftCard> {
    const card = await this.look(typed, guesser);
    refuseUnusable(card);
    return card;
  }

  /**
   * Remembers a card for an order, which takes from it when it is paid.
   * @param how.isPlaced the order was placed by a program, and is not paid yet
   * @throws RefusedGiftCard when the order has too many, or is not open any more
   */
  async choose(orderId: string, card: Pick<ValuedGiftCard, 'id'>, { isPlaced = false } = {}): Promise<void> {
    const refusal = await this.db.transaction((tx) => chooseGiftCard(tx, orderId, card.id, isPlaced ? ['open', 'placed'] : ['open']));
    if (refusal) throw new RefusedGiftCard(refusal);
  }

  /** Forgets the cards of an open order. @throws RefusedGiftCard when it is not open any more */
  async forget(orderId: string): Promise<void> {
    if (!(await this.db.transaction((tx) => forgetGiftCards(tx, orderId)))) throw new RefusedGiftCard('ended');
  }

  /** The cards that are remembered for an order, in their order. @throws RefusedGiftCard when the venue of one cannot be asked */
  async chosen(orderId: string): Promise<ChosenGiftCard[]> {
    const cards = await this.network.withIssuers(await this.chosenRows(orderId));
    return cards.flatMap((card) => (card.state === 'usable' ? [{ id: card.id, tail: tailOf(card), balance: card.balance }] : []));
  }

  private chosenRows(orderId: string): Promise<ValuedGiftCard[]> {
    return this.db.transaction(async (tx) => valuedByIds(tx, await chosenGiftCards(tx, orderId)));
  }

  /**
   * Reserves what the cards of an order pay of its parts, before a checkout is opened for the rest. When they pay everything, the parts are
   * sold at once. A repeated call changes nothing. So many cents are left to a checkout that a provider charges them.
   * @param beside what the cards do not pay of the same order: while it is due, everything waits for its checkout
   * @returns whether nothing is left to pay
   * @throws RefusedBooking when a part cannot be sold any more: nothing was reserved
   */
  async reserve(orderId: string, subjects: readonly OrderPart[], beside: readonly OrderPart[] = []): Promise<boolean> {
    const chosen = await this.chosenRows(orderId);
    if (chosen.length === 0) return false;
    const least = Math.max(0, ...(await this.checkouts.offered()).map(({ provider }) => toCents(provider.minimum)));
    const isForeign = chosen.some(({ issuerId }) => issuerId !== null);
    const taken = isForeign ? await this.takeFor(await this.network.withIssuers(chosen), subjects, beside, least) : [];
    try {
      return await this.reserveIn(orderId, { subjects, beside, least, taken });
    } finally {
      await this.network.giveBack(taken);
    }
  }

  /** Takes what cards of other venues are to pay, as it is now: the parts are not locked. */
  private async takeFor(
    cards: readonly ValuedGiftCard[],
    subjects: readonly OrderPart[],
    beside: readonly OrderPart[],
    least: number,
  ): Promise<TakenValue[]> {
    const shares = await this.db.transaction(async (tx) => {
      const due = await this.dueOf(tx, subjects);
      const isReserved = due.length === 0 || (await this.payments.hasGiftCards(tx, subjectsOf(due)));
      const besideCents = toCents(sumOf(await this.dueOf(tx, beside)));
      const usable = cards.filter(({ state }) => state === 'usable');
      return isReserved ? [] : sharesOf(due, usable, { least, besideCents }).shares;
    });
    const taken: TakenValue[] = [];
    for (const card of cards.filter(({ issuerId }) => issuerId !== null)) {
      const cents = shares.reduce((sum, share) => sum + (share.cardId === card.id ? share.cents : 0), 0);
      const value = cents > 0 ? await this.network.take(card, cents).catch((error: unknown) => this.abandon(taken, error)) : undefined;
      if (value) taken.push(value);
    }
    return taken;
  }

  /** A further card cannot pay: what others gave for the same payment goes back. */
  private async abandon(taken: readonly TakenValue[], error: unknown): Promise<undefined> {
    await this.network.giveBack(taken);
    throw error;
  }

  private async reserveIn(
    orderId: string,
    {
      subjects,
      beside,
      least,
      taken,
    }: Readonly<Record<'subjects' | 'beside', readonly OrderPart[]>> & {
      readonly least: number;
      readonly taken: readonly TakenValue[];
    },
  ): Promise<boolean> {
    const work = async (tx: Tx): Promise<boolean> => {
      // Locks as a payment does: events, then subjects, then payments, then cards.
      const locked = await this.subjects.lock(tx, [...subjects, ...beside]);
      const due = await this.dueOf(tx, subjects);
      const besideCents = toCents(sumOf(await this.dueOf(tx, beside)));
      const ids = await chosenGiftCards(tx, orderId);
      if (due.length === 0 || (await this.payments.hasGiftCards(tx, subjectsOf(due)))) return false;
      const isWorth =
        taken.length > 0 || (await valuedByIds(tx, ids)).some(({ state, balance }) => state === 'usable' && toCents(balance) > 0);
      if (!isWorth) return false;
      for (const { subject } of due) await this.payments.giveUpPending(tx, subject);
      const cards: ValuedGiftCard[] = [];
      for (const id of ids.toSorted()) {
        await this.network.arrive(tx, taken, id);
        const card = await lockCard(tx, id);
        if (card?.state === 'usable') cards.push(card);
      }
      const inTurn = cards.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
      const { shares, rest } = sharesOf(due, inTurn, { least, besideCents });
      if (shares.length === 0) return false;
      for (const { part, cardId, cents } of shares)
        await this.cardPayments.record(tx, { subject: part.subject, amount: fromCents(cents) }, cardId, 'pending');
      if (rest > 0) return false;
      for (const [index, subject] of subjects.entries()) {
        if (!locked[index]?.isAwaitingPayment) continue;
        await this.cardPayments.settle(tx, subject);
        await locked[index].paid();
      }
      return true;
    };
    try {
      return await this.subjects.attempt(() => retryOnDeadlock(() => this.db.transaction(work)));
    } catch (error) {
      if (!(error instanceof SubjectUnavailable)) throw error;
      throw error.cause instanceof RefusedInput ? error.cause : new RefusedGiftCard('empty');
    }
  }

  /** Runs a sale that is paid with `payAtVenue`, also with cards of other venues. @throws RefusedGiftCard */
  sell<Result>(sale: () => Promise<Result>): Promise<Result> {
    return this.brought.sell(sale);
  }

  /**
   * Records the payment of a subject at the venue, in the transaction that sells it: with a gift card, as far as that goes, then otherwise.
   * @param how.amount decimal text
   * @param how.method of the rest; undefined: it is paid later
   * @param how.giftCard the code, as staff or a program entered it
   * @throws RefusedGiftCard
   */
  async payAtVenue(
    tx: Tx,
    subject: OrderPart,
    {
      amount,
      method,
      giftCard,
    }: { readonly amount: string; readonly method: VenueMethod | undefined; readonly giftCard?: string | undefined },
  ): Promise<void> {
    const isPaid = toCents(amount) > 0 && method !== 'offered';
    const rest = giftCard === undefined || !isPaid ? amount : await this.take(tx, subject, amount, giftCard);
    if (method && (toCents(rest) > 0 || !isPaid)) await this.payments.recordAtVenue(tx, subject, rest, method);
  }

  /** The parts that are due, with their amounts. It locks them. */
  private async dueOf(tx: Tx, subjects: readonly OrderPart[]): Promise<DuePart[]> {
    const due: DuePart[] = [];
    for (const subject of inLockingOrder(subjects)) {
      const amount = await this.subjects.amountDue(tx, subject);
      if (amount !== undefined) due.push({ subject, amount });
    }
    return due;
  }

  /** @returns what is left to pay otherwise, decimal text */
  private async take(tx: Tx, subject: OrderPart, amount: string, typed: string): Promise<string> {
    const code = cardCodeKey(typed);
    const found = code === undefined ? undefined : await cardOf(tx, code);
    const foreign = found || code === undefined ? undefined : await this.brought.find(tx, code, toCents(amount));
    const card = found ? await lockCard(tx, found.id) : foreign;
    if (!card) throw new RefusedGiftCard('unknown');
    if (card.state !== 'usable') refuseUnusable(card);
    // Another part of the same sale may have used it up.
    const cents = Math.min(toCents(amount), toCents(card.balance));
    if (cents <= 0) return amount;
    await this.cardPayments.record(tx, { subject, amount: fromCents(cents) }, card.id, 'paid');
    return fromCents(toCents(amount) - cents);
  }
}

const subjectsOf = (parts: readonly DuePart[]): OrderPart[] => parts.map(({ subject }) => subject);

async function cardOf(tx: Tx, code: string): Promise<ValuedGiftCard | undefined> {
  return (await valued(tx, await tx.find(GiftCard, { where: { code } })))[0];
}

async function valuedByIds(tx: Tx, ids: readonly string[]): Promise<ValuedGiftCard[]> {
  if (ids.length === 0) return [];
  const cards = await tx.find(GiftCard, { where: ids.map((id) => ({ id })) });
  return valued(
    tx,
    cards.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id)),
  );
}
