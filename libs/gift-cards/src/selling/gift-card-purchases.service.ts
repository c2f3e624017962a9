import {
  currentLanguage,
  databaseNow,
  RefusedInput,
  refusalsOf,
  refuseUnfitText,
  retryOnDeadlock,
  SETTINGS,
  TokenBuckets,
  isoInZone,
  type Settings,
} from '#kernel';
import { addLines, beginOrder, linesOfSold, lockOrder, placeOrder, takeBackAll } from '#orders';
import { checkoutUrlOf, CheckoutsService, Payment, RefundsService } from '#payments';
import { emailFault } from '#tickets';
import { currentTenant, RetentionService, ScheduledTasks, TenantDb, tenantUrl, type Tx } from '#tenancy';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { IsNull } from 'typeorm';
import { GiftCardsService, type WholeGiftCard } from '../gift-cards.service.js';
import { limits } from '../limits.js';
import { texts } from '../locales/gift-cards.texts.js';
import { giftCardName } from '../rows/card-name.js';
import { cardTexts, checkedCard, type CardRecipient } from '../rows/wanted-card.js';

/** What somebody wants to buy. */
interface WantedGiftCard extends CardRecipient {
  /** As it was typed. */
  readonly amount: string;
  readonly buyerName: string;
  /** Where the link to the card goes. */
  readonly buyerEmail: string;
  /** The venue has terms, which the buyer did not accept. */
  readonly refusesTerms?: boolean;
}

/** A card that was bought, with its payments. */
export interface BoughtGiftCard {
  /** undefined: it was not paid, and is forgotten. */
  readonly card: WholeGiftCard | undefined;
  readonly payments: readonly Payment[];
}

/** Cards are mailed from this hour of their day on, at the venue. */
const mailHour = 8;

/** Sells gift cards on the pages. A card is an order of its own: its VAT is due when something is paid with it. */
@Injectable()
export class GiftCardPurchasesService implements OnModuleInit {
  private readonly begun = new TokenBuckets(limits.purchaseBuckets.kept.most);

  constructor(
    private readonly db: TenantDb,
    private readonly cards: GiftCardsService,
    private readonly refunds: RefundsService,
    private readonly checkouts: CheckoutsService,
    private readonly tasks: ScheduledTasks,
    private readonly retention: RetentionService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.tasks.add('gift cards to mail', () => this.sendDue());
    // A payment that arrives after that is refunded, as its lines are taken back.
    const condition = `issued_at is null and not exists (select from payment where payment.order_id = gift_card.order_id
      and payment.status in ('pending', 'processing'))`;
    this.retention.add({ name: 'unpaid gift cards', days: 30, table: 'gift_card', key: 'id', time: 'created_at', condition });
  }

  /** Whether somebody can buy one now. */
  canBuy(): Promise<boolean> {
    return this.checkouts.available();
  }

  /**
   * Begins the payment of a card.
   * @param network of the visitor, as `siteOfClient` names it
   * @param pathOf path of the page about the card, by its order
   * @returns the address of the payment page
   * @throws RefusedInputs on the members, RefusedInput on `amount`, also when the network began too many; RefusedAmount
   * @throws PaymentProviderUnavailable, PaymentProviderRefused
   */
  async buy(wanted: WantedGiftCard, network: string, pathOf: (orderId: string) => string): Promise<string> {
    const email = wanted.buyerEmail.trim();
    const card = checkedCard(wanted.amount.replace(',', '.'), wanted, [
      ...(emailFault(email)?.faults ?? []).map((fault) => fault.at('buyerEmail')),
      ...refusalsOf(() => refuseUnfitText('buyerName', wanted.buyerName, cardTexts.name)),
      ...(wanted.refusesTerms ? [new RefusedInput('terms', texts.localized('purchase.terms'))] : []),
    ]);
    const isFull = this.begun.take(`${currentTenant().id} ${network}`, limits.purchases.rate) > 0;
    if (isFull) throw new RefusedInput('amount', texts.localized('purchase.tooMany'));
    const orderId = randomUUID();
    const name = giftCardName(currentTenant().language);
    await this.db.transaction(async (tx) => {
      await beginOrder(tx, orderId);
      const { lines } = linesOfSold([
        // A voucher for several purposes: VAT is due when it is redeemed (article 30b (2) of Directive 2006/112/EC).
        { kind: 'gift_card', priceId: null, productId: null, name, amount: card.amount, vatRate: '0.00' },
      ]);
      await addLines(tx, lines, { orderId, membershipId: null, isOpen: true, channel: 'page', isEffective: false });
      await placeOrder(tx, orderId);
      await tx.query(
        `insert into gift_card (order_id, amount, message, recipient_name, recipient_email, send_on, buyer_name, buyer_email, language)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          orderId,
          card.amount,
          card.message,
          card.recipientName,
          card.recipientEmail,
          card.sendOn,
          wanted.buyerName.trim(),
          email,
          currentLanguage(),
        ],
      );
    });
    const returnUrl = tenantUrl(this.settings, currentTenant(), pathOf(orderId));
    const bill = {
      subject: { orderId },
      description: name,
      email,
      language: currentLanguage(),
      expiresAt: new Date(databaseNow().getTime() + this.settings.holdMinutes * 60_000),
      returnUrl,
    };
    try {
      return checkoutUrlOf(await this.checkouts.open(bill, { read: (tx) => paymentsOf(tx, orderId) })) ?? returnUrl;
    } catch (error) {
      // Nobody comes back to this order. If the provider opened its page all the same and is paid, the payment is refunded.
      await this.giveUp(orderId);
      throw error;
    }
  }

  /** A card that was bought on the pages, with the payments and refunds of its order. */
  async find(orderId: string): Promise<BoughtGiftCard> {
    const card = await this.cards.ofOrder(orderId);
    return { card, payments: await this.db.transaction((tx) => paymentsOf(tx, orderId)) };
  }

  private giveUp(orderId: string): Promise<boolean> {
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        await lockOrder(tx, orderId);
        await takeBackAll(tx, { orderId });
        return this.refunds.refundAll(tx, { orderId });
      }),
    );
  }

  /** Mails cards whose day has come at the venue, from the morning on. */
  private async sendDue(): Promise<void> {
    const morning = new Date(databaseNow().getTime() - mailHour * 3_600_000);
    const day = isoInZone(morning, currentTenant().timeZone).slice(0, 10);
    await this.db.transaction((tx) => this.cards.sendIn(tx, day));
  }
}

/** The payments of what an order sells itself. */
function paymentsOf(tx: Tx, orderId: string): Promise<Payment[]> {
  const where = { orderId, reservationId: IsNull(), membershipId: IsNull() };
  return tx.find(Payment, { where, order: { createdAt: 'ASC' } });
}
