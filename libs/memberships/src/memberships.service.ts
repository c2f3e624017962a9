import {
  askedBy,
  keepAnswers,
  answersAgain,
  answersOfMembership,
  emailKey,
  HolderLinks,
  MailsService,
  saleFault,
  RefusedBooking,
  bankHoldSql,
  giveStockBack,
  noteCodeUse,
  SigningKeysService,
} from '#tickets';
import { Inject, Injectable } from '@nestjs/common';
import { partsOf } from '#http';
import { databaseNow, RefusedInput, SETTINGS, SignedLinks, retryOnDeadlock, type Settings, actorColumns, toCents } from '#kernel';
import { JobsService } from '#jobs';
import { sellLines, takeBackAll } from '#orders';
import { currentTenant, demandModule, TenantDb, type Tx } from '#tenancy';
import { OutboxService } from '#webhooks';
import { CheckoutsService, PaymentsService, RefundsService, type RefundReason } from '#payments';
import { forgetExpiry, membershipTidyJob, membershipExpiryJob } from './membership-jobs.js';
import { amountToBuy, refuseUsedUpCode } from './joining/membership-code.js';
import { takeAgain, takeMembership } from './joining/membership-stock.js';
import { orderNewMembership } from './rows/membership-order.js';
import { publishNewMembership } from './rows/membership-updates.js';
import { keepRenewal, renewThemselves } from './rows/renewal-rows.js';
import { Membership } from './rows/membership.entity.js';
import {
  loadMembership,
  loadMemberships,
  lockMembership,
  lockPrice,
  type LockedMembership,
  type WholeMembership,
} from './rows/membership-rows.js';
import { lockForms, refuseTooManyMemberships } from './joining/membership-limits.js';
import { checkMembershipLimits, renewalAmount, timesOf } from './joining/membership-terms.js';
import { checkNewMembership, columnsOf, type NewMembership } from './joining/new-membership.js';
import { texts } from './locales/memberships.texts.js';
import { GiftCardRedemptionService } from '#gift-cards';

export interface MembershipQuery {
  readonly emailKey?: string;
}

/** Memberships of the current tenant. Changes lock the price, then the membership. */
@Injectable()
export class MembershipsService {
  constructor(
    private readonly db: TenantDb,
    private readonly signingKeys: SigningKeysService,
    private readonly payments: PaymentsService,
    private readonly giftCards: GiftCardRedemptionService,
    private readonly refunds: RefundsService,
    private readonly checkouts: CheckoutsService,
    readonly mails: MailsService,
    private readonly jobs: JobsService,
    readonly outbox: OutboxService,
    private readonly links: HolderLinks,
    private readonly marks: SignedLinks,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Passes memberships to `take` in batches, newest first, so that other requests run in between. */
  each(
    { emailKey: key, limit, offset = 0 }: MembershipQuery & { limit?: number; offset?: number },
    take: (some: readonly WholeMembership[]) => void,
  ): Promise<void> {
    return this.db.transaction(async (tx) => {
      const rows = await tx.query<{ id: string }[]>(
        `select id from membership where $1::text is null or email_key = $1
         order by created_at desc, id desc limit $2 offset $3`,
        [key ?? null, limit ?? null, offset],
      );
      for (const ids of partsOf(rows.map(({ id }) => id))) take(await loadMemberships(tx, ids));
    });
  }

  count({ emailKey: key }: MembershipQuery = {}): Promise<number> {
    return this.db.transaction((tx) => tx.count(Membership, { where: key === undefined ? {} : { emailKey: key } }));
  }

  /** @returns undefined when it does not exist */
  async find(id: string): Promise<WholeMembership | undefined> {
    return this.db.transaction((tx) => loadMembership(tx, id));
  }

  /** The code of its card. */
  codeOf(membership: Pick<Membership, 'id' | 'signingKeyId'>): Promise<string> {
    return this.signingKeys.codeOf(membership);
  }

  /**
   * Creates a membership. It is active at once when it is free or was paid at the venue; otherwise a checkout is opened and it becomes
   * active when it is paid.
   * @throws RefusedInput on `priceId`, `email`, `amount`, `validUntil`, `paymentMethod`; on `email` also when only a member
   *   who is signed in can buy it; RefusedInputs of RefusedAnswer
   * @throws RefusedBooking `sold_out`, `limit_per_user`, `membership_required`, `price_not_published`, `sale_not_open`, `sale_ended`, and
   *   those of codes; TooManyMemberships
   * @throws Problem 403 `tenant.module`; PaymentProviderUnavailable, PaymentProviderRefused when no checkout can be opened
   */
  async create(wanted: NewMembership): Promise<WholeMembership> {
    demandModule('membership');
    checkNewMembership(wanted);
    const canPayOnline = await this.checkouts.available();
    const work = (tx: Tx): Promise<WholeMembership> => this.createIn(tx, wanted, canPayOnline);
    const made = await this.giftCards.sell(() => retryOnDeadlock(() => this.db.transactionOnce(work)));
    if (made.status !== 'pending' || toCents(made.amount) === 0) return made;
    // A repeated request whose membership has expired unpaid creates a new one.
    if (this.db.repetition() === 'replay' && (await this.giveUpCheckout(made.id, { lapsedOnly: true }))) return this.create(wanted);
    return this.sendToCheckout(made);
  }

  private async sendToCheckout(made: WholeMembership): Promise<WholeMembership> {
    const { id, email, language, product, price, expiresAt } = made;
    const description = `${product.name} · ${price.name}`;
    const subject = { membershipId: id };
    const returnUrl = this.links.urlTo(subject);
    const keepsMeans = await this.db.transaction((tx) => renewThemselves(tx, [id]));
    const bill = { subject, description, email, language, expiresAt: expiresAt as Date, returnUrl, keepsMeans };
    try {
      return await this.checkouts.open(bill, { read: async (tx) => (await loadMembership(tx, id)) ?? made });
    } catch (error) {
      // If the cancellation fails too, the membership expires later.
      if (!this.checkouts.mayBeRepeated(error)) await this.giveUpCheckout(id).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Creates the membership that follows this one, at the same price and with the same answers.
   * @returns undefined when the membership does not exist
   * @throws what `create` throws
   */
  async renew(id: string, paymentMethod: NewMembership['paymentMethod']): Promise<WholeMembership | undefined> {
    const old = await this.find(id);
    if (!old) return undefined;
    const { priceId, email, firstName, lastName, language } = old;
    return this.create({
      priceId,
      email,
      firstName,
      lastName,
      ...(language && { language }),
      amount: renewalAmount(old),
      ...(paymentMethod && { paymentMethod }),
      answers: answersAgain(old.answers),
      answersOptional: true,
    });
  }

  /**
   * Cancels a membership, returns its stock once and records its refunds. A cancelled membership stays unchanged.
   * @param underLock checks the locked membership; an error that it throws aborts the cancellation
   * @returns undefined when it does not exist
   * @throws what `underLock` throws
   */
  cancel(id: string, note?: string, underLock?: (current: WholeMembership) => void): Promise<WholeMembership | undefined> {
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        const locked = await lockMembership(tx, id);
        if (locked && underLock) underLock((await loadMembership(tx, id)) as WholeMembership);
        if (locked && locked.status !== 'cancelled') await this.cancelIn(tx, locked, note);
        return loadMembership(tx, id);
      }),
    );
  }

  /**
   * Cancels a pending membership that cannot be paid, and deletes the stored outcome of its request, so that a repetition creates it anew.
   * @returns whether it was cancelled
   */
  giveUpCheckout(id: string, { lapsedOnly = false } = {}): Promise<boolean> {
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        const locked = await lockMembership(tx, id);
        if (locked?.status !== 'pending' || (lapsedOnly && !locked.lapsed)) return false;
        await this.cancelIn(tx, locked);
        await this.db.forgetOutcome(tx);
        return true;
      }),
    );
  }

  /** Cancels a membership in the transaction that has locked it, returns its stock and records its refunds. */
  async cancelIn(tx: Tx, { id, price, released, counted }: LockedMembership, note?: string, reason?: RefundReason): Promise<void> {
    await tx.query(`update membership set status = 'cancelled', expires_at = null, sequence = sequence + 1 where id = $1`, [id]);
    await takeBackAll(tx, { membershipId: id });
    if (!released) await giveStockBack(tx, new Map([[price.id, 1]]));
    await forgetExpiry(this.jobs, tx, id);
    // It still counts for its network: a form that the payment provider refuses cannot be sent without end.
    if (counted) await this.jobs.add(tx, membershipTidyJob, id, { afterSeconds: 24 * 3600 });
    await this.payments.giveUpPending(tx, { membershipId: id });
    await this.refunds.refundAll(tx, { membershipId: id }, note, reason);
  }

  /**
   * Activates a pending membership whose payment arrived.
   * @throws RefusedBooking `sold_out`, `limit_per_user`, `membership_required` when it had expired and can no longer be sold, or when the
   *   person may not have what was ordered on the pages
   */
  async activate(tx: Tx, membership: LockedMembership): Promise<void> {
    const { id, status, lapsed, isOnline } = membership;
    if (status !== 'pending') return;
    await takeAgain(tx, membership, lapsed || isOnline);
    await tx.query(
      `update membership set status = 'active', expires_at = null, released_at = null, network = null, sequence = sequence + 1
       where id = $1`,
      [id],
    );
    await sellLines(tx, { membershipId: id });
    await forgetExpiry(this.jobs, tx, id);
    await publishNewMembership(tx, this, id);
  }

  /**
   * Extends a pending membership while a bank processes the payment.
   * @throws RefusedBooking when it had expired and can no longer be sold
   */
  async keepForBank(tx: Tx, membership: LockedMembership): Promise<void> {
    const { id, status, lapsed } = membership;
    if (status !== 'pending') return;
    await takeAgain(tx, membership, lapsed);
    const saleEnd = '(select sales_until from price where price.id = membership.price_id)';
    const [rows] = await tx.query<[{ dueAt: Date }[], number]>(
      `update membership set expires_at = ${bankHoldSql('expires_at', saleEnd)}, released_at = null where id = $1
       returning expires_at as "dueAt"`,
      [id],
    );
    await forgetExpiry(this.jobs, tx, id);
    for (const { dueAt } of rows) await this.jobs.add(tx, membershipExpiryJob, id, { dueAt });
  }

  /** Like `create`, in a running transaction and without opening a checkout. */
  async createIn(tx: Tx, wanted: NewMembership, canPayOnline: boolean): Promise<WholeMembership> {
    const key = emailKey(wanted.email);
    const mark = wanted.network === undefined ? null : this.marks.markOf(`membership network:${currentTenant().id}:${wanted.network}`);
    if (mark !== null) await lockForms(tx, mark, key);
    // The price's lock serialises sales of the same membership.
    const price = await lockPrice(tx, wanted.priceId);
    // After the lock, so that a form that is sent twice at the same time makes one.
    const known = wanted.id === undefined ? undefined : await loadMembership(tx, wanted.id);
    if (known) return known;
    if (!price || price.category !== 'A') throw new RefusedInput('priceId', texts.localized('memberships.notMembershipPrice'));
    if (!price.published) throw new RefusedBooking('price_not_published', 'priceId');
    const { amount, coded } = await amountToBuy(tx, wanted, price);
    const isFree = toCents(amount) === 0;
    const pending = isFree ? wanted.isTyped === true : wanted.paymentMethod === undefined;
    // Only staff sell a hidden price: to buyers it looks like one that does not exist.
    if (pending && price.hidden) throw new RefusedInput('priceId', texts.localized('memberships.notMembershipPrice'));
    if (pending && !isFree && !canPayOnline) throw new RefusedInput('paymentMethod', texts.localized('memberships.noOnlinePayment'));
    // Staff, and callers who received the payment, decide on their own.
    const fault = pending ? saleFault(price, 'priceId') : undefined;
    if (fault) throw fault;
    const answers = answersOfMembership(await askedBy(tx, [price.productId]), wanted.answers, { allOptional: wanted.answersOptional });
    const isHeld = pending || (!isFree && wanted.awaitsReader === true);
    const times = await timesOf(tx, wanted, price, key);
    if (wanted.isTyped !== true) await checkMembershipLimits(tx, price, key, times.validFrom);
    // The same answer for every address: who is a member is known with a session only.
    else if (!isFree && price.requiredMembershipId !== null) throw new RefusedInput('email', texts.localized('memberships.signIn'));
    if (coded) await refuseUsedUpCode(tx, coded, { emailKey: wanted.isTyped === true ? undefined : key });
    const isLimited = mark !== null && (pending || isFree);
    const isMailed = !isLimited || (await refuseTooManyMemberships(tx, mark, key)).isMailed;
    await takeMembership(tx, price);
    const [byUserId, byKeyId] = actorColumns();
    const holdUntil = wanted.holdUntil ?? new Date(databaseNow().getTime() + this.settings.holdMinutes * 60_000);
    const { identifiers } = await tx.insert(Membership, {
      ...columnsOf(wanted),
      productId: price.productId,
      priceId: price.id,
      emailKey: key,
      status: isHeld ? 'pending' : 'active',
      network: pending ? mark : null,
      amount,
      vatRate: price.vatRate,
      ...times,
      signingKeyId: await this.signingKeys.currentId(tx),
      byUserId,
      byKeyId,
      expiresAt: isHeld ? holdUntil : null,
      sequence: 1,
    });
    const { id } = identifiers[0] as { id: string };
    const lineId = await orderNewMembership(tx, { id, orderId: wanted.orderId ?? wanted.cartId, isActive: !isHeld }, price, amount);
    if (coded) await noteCodeUse(tx, coded, { lineId, membershipId: id });
    await keepAnswers(tx, { membershipId: id }, answers);
    if (wanted.renewsItself === true && pending) await keepRenewal(tx, id);
    if (isHeld) await this.jobs.add(tx, membershipExpiryJob, id, { dueAt: holdUntil });
    if (pending && isFree && isMailed) await this.mails.add(tx, 'confirm-membership', { membershipId: id, recipient: wanted.email.trim() });
    if (!isHeld) {
      const { paymentMethod: method, giftCard, paysLater = false } = wanted;
      if (!isFree && method && !paysLater) await this.giftCards.payAtVenue(tx, { membershipId: id }, { amount, method, giftCard });
      await publishNewMembership(tx, this, id);
    }
    return (await loadMembership(tx, id)) as WholeMembership;
  }
}
