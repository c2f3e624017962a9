import { Injectable } from '@nestjs/common';
import { sumOf, violatedConstraint } from '#kernel';
import { partSql, type OrderPart } from '#orders';
import type { Tx } from '#tenancy';
import { giftCard } from '../providers/gift-card-provider.js';
import { insertPayment, type DuePart } from './new-payment.js';
import { SubjectUnavailable } from './payment-subjects.js';

/** Constraint that a trigger names when a card does not have what is to be taken. */
const covers = 'gift_card_covers';

/**
 * Payments with gift cards. One is reserved (`pending`) until the rest of its subject is paid, and given back (`failed`) when that fails;
 * triggers move the value of the card in the same statement (`note_gift_card_payment`). The card is locked behind the subject and its
 * payments.
 */
@Injectable()
export class GiftCardPaymentsService {
  /**
   * Records a payment with a card.
   * @param status `pending`: reserved until the rest is paid
   * @throws SubjectUnavailable when the card does not have as much; the transaction must roll back
   */
  async record(tx: Tx, part: DuePart, cardId: string, status: 'pending' | 'paid'): Promise<void> {
    await asUnavailable(insertPayment(tx, { ...part, provider: giftCard, method: giftCard, status, providerPayment: cardId }));
  }

  /** The subject is sold: its reserved payments are made. @returns their sum, decimal text */
  async settle(tx: Tx, subject: OrderPart): Promise<string> {
    const [condition, id] = partSql(subject);
    const [rows] = await tx.query<[{ amount: string }[], number]>(
      `update payment set status = 'paid', paid_at = (select now())
       where ${condition} and kind = 'payment' and provider = '${giftCard}' and status = 'pending' returning amount`,
      [id],
    );
    return sumOf(rows);
  }

  /**
   * The rest of a subject was paid with a checkout: the payments with cards that its sum left out are made. Those that were given back
   * meanwhile are taken again, those that were reserved since are given back.
   * @param checkoutId of its first payment
   * @throws SubjectUnavailable when a card does not have as much any more
   */
  async settleWith(tx: Tx, checkoutId: string, subject: OrderPart): Promise<void> {
    const [condition, id] = partSql(subject);
    const ofCard = `${condition} and kind = 'payment' and provider = '${giftCard}'`;
    await tx.query(`update payment set status = 'failed' where ${ofCard} and status = 'pending' and checkout_id is distinct from $2`, [
      id,
      checkoutId,
    ]);
    await asUnavailable(
      tx.query(
        `update payment set status = 'paid', paid_at = (select now())
         where ${ofCard} and status in ('pending', 'failed') and checkout_id = $2`,
        [id, checkoutId],
      ),
    );
  }

  /** Gives back what was reserved of a locked subject whose hold has ended, unless a checkout is open that may still be paid. */
  async releaseUnopened(tx: Tx, subject: OrderPart): Promise<void> {
    const [condition, id] = partSql(subject);
    await tx.query(
      `update payment set status = 'failed' where ${condition} and provider = '${giftCard}' and status = 'pending'
         and not exists (select from payment opened where opened.id = payment.checkout_id
           and opened.status in ('pending', 'processing') and opened.reference is not null)`,
      [id],
    );
  }

  /** Gives back what was reserved beside a checkout. @param checkoutId of its first payment */
  async releaseWith(tx: Tx, checkoutId: string): Promise<void> {
    await tx.query(`update payment set status = 'failed' where checkout_id = $1 and provider = '${giftCard}' and status = 'pending'`, [
      checkoutId,
    ]);
  }
}

async function asUnavailable(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (violatedConstraint(error) !== covers) throw error;
    throw new SubjectUnavailable('The gift card has not enough left.', { cause: error });
  }
}
