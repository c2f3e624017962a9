import { Injectable } from '@nestjs/common';
import { actorColumns, databaseNow, RefusedInput, refusalsOf, refuseUnfitText, retryOnDeadlock, toCents } from '#kernel';
import type { Page } from '#http';
import { lockOrder, takeBackAll } from '#orders';
import { RefundsService } from '#payments';
import { hasWithdrawal, MailsService, withdrawalEnd } from '#tickets';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { IsNull, Not } from 'typeorm';
import { texts } from './locales/gift-cards.texts.js';
import { listCards } from './rows/network-card-rows.js';
import { addMovement, hasCardsSql, lockCard, newCardCode, stateSql, valued, type ValuedGiftCard } from './rows/card-rows.js';
import { GiftCard, GiftCardMovement, type GiftCardState } from './rows/gift-card.entity.js';
import { endOfCard } from './rows/validity.js';
import { cardTexts, checkedCard, venueDay, type CardRecipient } from './rows/wanted-card.js';

/** A card that staff give away, for example as a consolation. */
interface HandIssuedCard extends CardRecipient {
  /** Decimal text. */
  readonly amount: string;
  /** Why. */
  readonly note: string;
}

/** A card, and its movements in their order. */
export type WholeGiftCard = ValuedGiftCard & { readonly movements: readonly GiftCardMovement[] };

/** Manages the gift cards of the current tenant. */
@Injectable()
export class GiftCardsService {
  constructor(
    private readonly db: TenantDb,
    private readonly refunds: RefundsService,
    private readonly mails: MailsService,
  ) {}

  /** @returns undefined when there is none that this venue issued */
  find(id: string): Promise<WholeGiftCard | undefined> {
    return this.db.transaction((tx) => wholeCard(tx, { id }));
  }

  /** The card that an order bought; undefined: it bought none, or is forgotten. */
  ofOrder(orderId: string): Promise<WholeGiftCard | undefined> {
    return this.db.transaction((tx) => wholeCard(tx, { orderId }));
  }

  /** Issued cards of the venue, the newest first. @returns also the total number */
  list(page: Page | undefined): Promise<{ cards: ValuedGiftCard[]; total: number }> {
    const where = { issuedAt: Not(IsNull()), issuerId: IsNull() };
    return this.db.transaction(async (tx) => {
      const cards = await tx.find(GiftCard, { where, order: { issuedAt: 'DESC', id: 'ASC' }, ...page });
      return { cards: await valued(tx, cards), total: page ? await tx.count(GiftCard, { where }) : cards.length };
    });
  }

  /** Whether the venue has issued cards. */
  async areIssued(): Promise<boolean> {
    const [row] = await this.db.transaction((tx) => tx.query<{ has: boolean }[]>(`select ${hasCardsSql()} as has`));
    return row?.has === true;
  }

  /** Issues a card that nobody paid. @throws RefusedInputs on the members */
  issue(wanted: HandIssuedCard): Promise<WholeGiftCard> {
    const checked = checkedCard(
      wanted.amount,
      wanted,
      refusalsOf(() => refuseNote(wanted.note)),
    );
    return this.db.transactionOnce(async (tx) => {
      const id = await this.insert(tx, { ...checked, note: wanted.note.trim() });
      await this.issueIn(tx, { id });
      return (await wholeCard(tx, { id })) as WholeGiftCard;
    });
  }

  /**
   * Makes a paid card valid, once, and mails it, when its day has come; in the transaction of the payment.
   * @param which an order without a card does nothing
   */
  async issueIn(tx: Tx, which: { readonly id: string } | { readonly orderId: string }): Promise<void> {
    const [column, value] = 'id' in which ? ['id', which.id] : ['order_id', which.orderId];
    const [cards] = await tx.query<[{ id: string; amount: string; buyer: string }[], number]>(
      `update gift_card set code = $2, issued_at = (select now()), expires_at = $3 where ${column} = $1 and issued_at is null
       returning id, amount, buyer_email as buyer`,
      [value, newCardCode(), await endFromNow(tx)],
    );
    for (const { id, amount, buyer } of cards) {
      await addMovement(tx, id, 'issue', amount);
      await listCards(tx, id);
      await this.mails.add(tx, 'gift-card-bought', { giftCardId: id, recipient: buyer });
      await this.sendIn(tx, venueDay(), id);
    }
  }

  /**
   * Mails cards whose day has come.
   * @param day the last one that counts
   * @param id default: all
   */
  async sendIn(tx: Tx, day: string, id?: string): Promise<void> {
    const [cards] = await tx.query<[{ id: string; recipient: string }[], number]>(
      `update gift_card set mailed_at = (select now()) where ($2::uuid is null or id = $2) and mailed_at is null and send_on <= $1
         and recipient_email is not null and ${stateSql} = 'usable' returning id, recipient_email as recipient`,
      [day, id ?? null],
    );
    for (const card of cards) await this.mails.add(tx, 'gift-card', { giftCardId: card.id, recipient: card.recipient });
  }

  /**
   * Blocks a card, for example one that was lost, or allows it again.
   * @param underLock sees the card while it is locked; an error that it throws cancels the change
   * @returns undefined when there is none, or it is over
   */
  setBlocked(
    id: string,
    isBlocked: boolean,
    note: string,
    underLock?: (current: WholeGiftCard) => void,
  ): Promise<WholeGiftCard | undefined> {
    refuseNote(note);
    return this.db.transaction(async (tx) => {
      const current = underLock && (await lockCard(tx, id)) && (await wholeCard(tx, { id }));
      if (underLock && current?.issuedAt) underLock(current);
      const [rows] = await tx.query<[unknown[], number]>(
        `update gift_card set blocked_at = case when $2 then coalesce(blocked_at, (select now())) end, note = $3
         where id = $1 and issuer_id is null and ${stateSql} in ('usable', 'expired', 'blocked') returning id`,
        [id, isBlocked, note.trim()],
      );
      return rows.length === 0 ? undefined : wholeCard(tx, { id });
    });
  }

  /**
   * Ends a card, and issues another one with what is left of it, for example when it was lost. What it has reserved is given back to the
   * new card. The end of the validity stays; that of an expired one begins anew.
   * @returns the new card; undefined when there is none, nothing is left of it, or it was replaced or withdrawn from
   */
  replace(id: string, note: string): Promise<WholeGiftCard | undefined> {
    refuseNote(note);
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        const card = await lockCard(tx, id);
        const replaceable: readonly GiftCardState[] = ['usable', 'blocked', 'expired'];
        if (!card || card.issuerId !== null || !replaceable.includes(card.state) || toCents(card.balance) <= 0) return undefined;
        const { balance, mailedAt, recipientEmail, buyerEmail } = card;
        const [row] = await tx.query<{ id: string }[]>(
          `insert into gift_card (amount, code, issued_at, expires_at, recipient_name, recipient_email, buyer_name, buyer_email, message,
             language, send_on, mailed_at, note, by_user_id, by_key_id)
           select $2, $3, now(), case when ${stateSql} = 'expired' then $4 else expires_at end, recipient_name, recipient_email, buyer_name,
             buyer_email, message, language, send_on, case when mailed_at is not null then now() end, $5, $6, $7
           from gift_card where id = $1 returning id`,
          [id, balance, newCardCode(), await endFromNow(tx), note.trim(), ...actorColumns()],
        );
        const { id: newId } = row as { id: string };
        await tx.query('update gift_card set replaced_by_id = $2, note = $3 where id = $1', [id, newId, note.trim()]);
        await listCards(tx, newId);
        await addMovement(tx, id, 'replacement', `-${balance}`);
        await addMovement(tx, newId, 'replacement', balance);
        if (mailedAt !== null && recipientEmail !== null)
          await this.mails.add(tx, 'gift-card', { giftCardId: newId, recipient: recipientEmail });
        if (recipientEmail === null) await this.mails.add(tx, 'gift-card-bought', { giftCardId: newId, recipient: buyerEmail });
        return wholeCard(tx, { id: newId });
      }),
    );
  }

  /**
   * The end of the period in which the buyer may withdraw from the purchase (article 9 of Directive 2011/83/EU); undefined: that is not
   * possible, because the card was used, is no card of the pages, or has ended.
   */
  withdrawableUntil({ orderId, issuedAt, state, balance, amount, movements }: WholeGiftCard): Date | undefined {
    if (orderId === null || issuedAt === null || state !== 'usable' || balance !== amount || movements.some(isUse)) return undefined;
    const end = withdrawalEnd(issuedAt, currentTenant().timeZone);
    return end > databaseNow() ? end : undefined;
  }

  /**
   * Withdraws from the purchase of a card that was not used: it ends, and its refund is due.
   * @returns false when that is not possible (any more)
   */
  withdraw(orderId: string, confirm: (tx: Tx, card: GiftCard) => Promise<void>): Promise<boolean> {
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        await lockOrder(tx, orderId);
        const [row] = await tx.query<{ id: string; country: string | null }[]>(
          'select gift_card.id, country from gift_card, configuration where order_id = $1 and configuration.id = 1',
          [orderId],
        );
        if (!row || !hasWithdrawal(row.country)) return false;
        // Waits for payments with the card; then reads its movements.
        await lockCard(tx, row.id);
        const card = await wholeCard(tx, { id: row.id });
        if (!card || !this.withdrawableUntil(card)) return false;
        await addMovement(tx, card.id, 'withdrawal', `-${card.balance}`);
        await tx.query('update gift_card set withdrawn_at = (select now()) where id = $1', [card.id]);
        await takeBackAll(tx, { orderId });
        await this.refunds.refundAll(tx, { orderId }, undefined, 'withdrawal');
        await confirm(tx, card);
        return true;
      }),
    );
  }

  /** Inserts a card that is not issued yet. */
  private async insert(
    tx: Tx,
    card: Pick<GiftCard, 'amount' | 'recipientName' | 'recipientEmail' | 'message' | 'sendOn'> & { readonly note: string },
  ): Promise<string> {
    const { amount, recipientName, recipientEmail, message, sendOn, note } = card;
    const [row] = await tx.query<{ id: string }[]>(
      `insert into gift_card (amount, recipient_name, recipient_email, message, send_on, note, by_user_id, by_key_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8) returning id`,
      [amount, recipientName, recipientEmail, message, sendOn, note, ...actorColumns()],
    );
    return (row as { id: string }).id;
  }
}

/** Payments that were given up, and so given back, do not use a card. While its value is whole, none is left that was not given back. */
const isUse = ({ kind }: GiftCardMovement): boolean => !['issue', 'payment', 'release'].includes(kind);

/** The end of a card that is issued now. */
async function endFromNow(tx: Tx): Promise<Date | null> {
  const [venue] = await tx.query<{ country: string | null; years: number | null }[]>(
    'select country, gift_card_years as years from configuration where id = 1',
  );
  return endOfCard(databaseNow(), { country: null, years: null, ...venue, timeZone: currentTenant().timeZone });
}

async function wholeCard(tx: Tx, where: { id: string } | { orderId: string }): Promise<WholeGiftCard | undefined> {
  const [card] = await valued(tx, await tx.find(GiftCard, { where: { ...where, issuerId: IsNull() } }));
  if (!card) return undefined;
  const movements = await tx.find(GiftCardMovement, { where: { giftCardId: card.id }, order: { createdAt: 'ASC', id: 'ASC' } });
  return Object.assign(card, { movements });
}

/** @throws RefusedInput on `note` */
function refuseNote(note: string): void {
  if (note.trim() === '') throw new RefusedInput('note', texts.localized('note.required'));
  refuseUnfitText('note', note, cardTexts.note);
}
