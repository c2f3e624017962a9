import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { RefusedInput, SETTINGS, throughDeadlocks, type Settings } from '#kernel';
import { currentTenant, Jobs, TenantDb, type Tx } from '#tenancy';
import { Outbox } from '#webhooks';
import { emailKey } from '../email-key.js';
import { Mails } from '../mail/mails.service.js';
import { toCents } from '../money.js';
import { Checkouts } from '../payments/checkouts.service.js';
import { Payments } from '../payments/payments.service.js';
import { RefusedBooking } from '../reservations/refused-booking.js';
import { membershipExpiryJob, membershipTidyJob } from '../reservations/reservation-jobs.js';
import { giveStockBack, takeStock } from '../reservations/scarcity.js';
import { SigningKeys } from '../signing-keys.service.js';
import { toSchemaOrgMembership } from './membership.dto.js';
import { Membership } from './membership.entity.js';
import { checkNewMembership, type NewMembership } from './new-membership.js';

/** A membership with what it is of. */
export type WholeMembership = Membership & { readonly checkoutUrl?: string | null };

interface SoldPrice {
  readonly id: string;
  readonly productId: string;
  readonly name: string;
  readonly amount: string;
  readonly published: boolean;
  readonly category: string;
  readonly maxPerUser: number | null;
  readonly stock: number | null;
  readonly subscriptionType: 'Y' | 'M' | null;
  readonly requiredMembershipId: string | null;
}

/** Memberships of the current tenant. Locks go price, memberships. */
@Injectable()
export class Memberships implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly signingKeys: SigningKeys,
    private readonly payments: Payments,
    private readonly checkouts: Checkouts,
    private readonly mails: Mails,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(membershipExpiryJob, (id) => this.expire(id));
    this.jobs.handle(membershipTidyJob, (id) => this.tidy(id));
  }

  /** A page of memberships, the newest first. */
  list(filter: { emailKey?: string; limit?: number; offset?: number } = {}): Promise<WholeMembership[]> {
    return this.db.transaction((tx) =>
      tx.find(Membership, {
        ...(filter.emailKey !== undefined && { where: { emailKey: filter.emailKey } }),
        relations: { product: true, price: true },
        order: { createdAt: 'DESC', id: 'DESC' },
        ...(filter.limit !== undefined && { take: filter.limit }),
        ...(filter.offset !== undefined && { skip: filter.offset }),
      }),
    );
  }

  async find(id: string): Promise<WholeMembership | undefined> {
    return this.db.transaction((tx) => load(tx, id));
  }

  /** The code of its card, always the same. */
  codeOf(membership: Pick<Membership, 'id' | 'signingKeyId'>): Promise<string> {
    return this.signingKeys.codeOf(membership);
  }

  /**
   * Makes a membership: valid at once when it costs nothing or was paid at the venue, else when it is paid online.
   * @throws RefusedInput on `priceId`, `email`, `validUntil`, `paymentMethod`
   * @throws RefusedBooking `sold_out`, `limit_per_user`, `membership_required`, `price_not_published`
   */
  async create(wanted: NewMembership): Promise<WholeMembership> {
    checkNewMembership(wanted);
    const canPayOnline = await this.checkouts.available();
    const made = await throughDeadlocks(() => this.db.transaction((tx) => this.createIn(tx, wanted, canPayOnline)));
    return made.status === 'pending' ? this.checkouts.openForMembership(made) : made;
  }

  /** The membership that follows this one, at the same price. @returns undefined when there is none */
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
      ...(paymentMethod && { paymentMethod }),
    });
  }

  /** Ends a membership and gives its stock back, once. @returns undefined when there is none */
  cancel(id: string, note?: string): Promise<WholeMembership | undefined> {
    return throughDeadlocks(() =>
      this.db.transaction(async (tx) => {
        const locked = await lockMembership(tx, id);
        if (locked && locked.status !== 'cancelled') await this.cancelIn(tx, locked, note);
        return load(tx, id);
      }),
    );
  }

  async cancelIn(tx: Tx, { id, price, released }: LockedMembership, note?: string): Promise<void> {
    await tx.query(
      `update membership set status = 'cancelled', expires_at = null, sequence = sequence + 1 where id = $1`,
      [id],
    );
    if (!released) await giveStockBack(tx, new Map([[price.id, 1]]));
    await this.jobs.cancel(tx, membershipExpiryJob, id);
    await this.jobs.cancel(tx, membershipTidyJob, id);
    await this.payments.giveUpPending(tx, id);
    await this.payments.refundPaid(tx, id, note);
  }

  /** Its payment came: from now on it is valid. @throws RefusedBooking `sold_out`, `limit_per_user`, `membership_required` when it came too late */
  async activate(
    tx: Tx,
    { id, price, emailKey: key, validFrom, status, lapsed, released }: LockedMembership,
  ): Promise<void> {
    if (status !== 'pending') return;
    if (lapsed) await this.checkLimits(tx, price, key, validFrom);
    if (released) await this.takeOne(tx, price);
    await tx.query(
      `update membership set status = 'active', expires_at = null, released_at = null, sequence = sequence + 1 where id = $1`,
      [id],
    );
    await this.jobs.cancel(tx, membershipExpiryJob, id);
    await this.jobs.cancel(tx, membershipTidyJob, id);
    await this.tell(tx, id);
  }

  /** Gives the stock of an unpaid membership back, which is ended a day later. */
  private expire(id: string): Promise<void> {
    return this.db.transaction(async (tx) => {
      const locked = await lockMembership(tx, id);
      if (!locked?.lapsed) return;
      await this.jobs.add(tx, membershipTidyJob, id, { afterSeconds: 24 * 3600 });
      if (locked.released) return;
      await tx.query('update membership set released_at = now() where id = $1', [id]);
      await giveStockBack(tx, new Map([[locked.price.id, 1]]));
    });
  }

  private tidy(id: string): Promise<void> {
    return this.db.transaction(async (tx) => {
      const locked = await lockMembership(tx, id);
      if (locked?.lapsed) await this.cancelIn(tx, locked);
    });
  }

  private async createIn(tx: Tx, wanted: NewMembership, canPayOnline: boolean): Promise<WholeMembership> {
    const key = emailKey(wanted.email);
    // The price's lock makes buyers of the same membership take turns.
    const price = await lockPrice(tx, wanted.priceId);
    if (!price || price.category !== 'A') {
      throw new RefusedInput('priceId', {
        en: 'This is not the price of a membership.',
        fr: "Ce n'est pas le tarif d'une adhésion.",
      });
    }
    if (!price.published) throw new RefusedBooking('price_not_published', 'priceId');
    const pending = toCents(price.amount) > 0 && wanted.paymentMethod === undefined;
    if (pending && !canPayOnline) {
      throw new RefusedInput('paymentMethod', {
        en: 'Say how it was paid: no payment online is set up here.',
        fr: "Indiquez comment elle a été payée : aucun paiement en ligne n'est configuré ici.",
      });
    }
    const times = await this.times(tx, wanted, price, key);
    await this.checkLimits(tx, price, key, times.validFrom);
    await this.takeOne(tx, price);
    const { identifiers } = await tx.insert(Membership, {
      productId: price.productId,
      priceId: price.id,
      email: wanted.email.trim(),
      emailKey: key,
      firstName: wanted.firstName?.trim() ?? '',
      lastName: wanted.lastName?.trim() ?? '',
      language: wanted.language ?? null,
      status: pending ? 'pending' : 'active',
      amount: price.amount,
      ...times,
      signingKeyId: await this.signingKeys.currentId(tx),
      expiresAt: pending ? new Date(Date.now() + this.settings.holdMinutes * 60_000) : null,
      sequence: 1,
    });
    const { id } = identifiers[0] as { id: string };
    if (pending) await this.jobs.add(tx, membershipExpiryJob, id, { afterSeconds: this.settings.holdMinutes * 60 });
    else {
      if (toCents(price.amount) > 0 && wanted.paymentMethod)
        await this.payments.recordAtVenue(tx, { membershipId: id }, price.amount, wanted.paymentMethod);
      await this.tell(tx, id);
    }
    return (await load(tx, id)) as WholeMembership;
  }

  /** By the price's subscription type, on the clocks of the place; a renewal begins when what is valid ends. */
  private async times(
    tx: Tx,
    { validFrom, validUntil }: NewMembership,
    { productId, subscriptionType }: SoldPrice,
    key: string,
  ): Promise<{ validFrom: Date; validUntil: Date | null }> {
    const [row] = await tx.query<{ from: Date; until: Date | null }[]>(
      `with begins as (
         select coalesce($1::timestamptz, (select max(valid_until) from membership where product_id = $2 and email_key = $3
           and status = 'active' and valid_until > now()), now()) as at)
       select at as from, coalesce($4::timestamptz, (at at time zone $5 + $6::interval) at time zone $5) as until from begins`,
      [
        validFrom ?? null,
        productId,
        key,
        validUntil ?? null,
        currentTenant().timeZone,
        { Y: '1 year', M: '1 month', none: null }[subscriptionType ?? 'none'],
      ],
    );
    const { from, until } = row as { from: Date; until: Date | null };
    if (until && until <= from) {
      throw new RefusedInput('validUntil', {
        en: 'A membership is valid for longer already.',
        fr: 'Une adhésion est déjà valable plus longtemps.',
      });
    }
    return { validFrom: from, validUntil: until };
  }

  /** @throws RefusedBooking when this person has as many at that time already, or lacks what the price asks for */
  private async checkLimits(tx: Tx, price: SoldPrice, key: string, at: Date): Promise<void> {
    if (price.maxPerUser !== null) {
      const [row] = await tx.query<{ count: number }[]>(
        `select count(*)::int as count from membership where price_id = $1 and email_key = $2 and status <> 'cancelled'
           and (expires_at is null or expires_at > statement_timestamp()) and valid_from <= $3 and (valid_until is null or valid_until > $3)`,
        [price.id, key, at],
      );
      if ((row?.count ?? 0) >= price.maxPerUser) throw new RefusedBooking('limit_per_user', 'priceId', { mayBook: 0 });
    }
    if (price.requiredMembershipId === null) return;
    const held = await tx.query<unknown[]>(
      `select 1 from membership where product_id = $1 and email_key = $2 and status = 'active' and valid_from <= now()
         and (valid_until is null or valid_until > now()) order by id limit 1 for share`,
      [price.requiredMembershipId, key],
    );
    if (held.length === 0) throw new RefusedBooking('membership_required', 'priceId');
  }

  /** Under the price's lock: takes one of its stock, if need be of those whose payment did not come in time. @throws RefusedBooking */
  private async takeOne(tx: Tx, { id, name }: SoldPrice): Promise<void> {
    const one = new Map([[id, 1]]);
    if (await takeStock(tx, one)) return;
    const [over] = await tx.query<[unknown[], number]>(
      `update membership set released_at = now() where price_id = $1 and status = 'pending'
         and expires_at <= statement_timestamp() and released_at is null returning id`,
      [id],
    );
    if (over.length > 0) await giveStockBack(tx, new Map([[id, over.length]]));
    if (over.length > 0 && (await takeStock(tx, one))) return;
    throw new RefusedBooking('sold_out', 'priceId', { remaining: [{ priceId: id, name, remaining: 0 }] });
  }

  /** Once it is valid: to the outside, and to its holder with the card. */
  private async tell(tx: Tx, id: string): Promise<void> {
    const membership = (await load(tx, id)) as WholeMembership;
    const data = toSchemaOrgMembership(membership, currentTenant());
    await this.outbox.add(tx, { type: 'membership.created', subjectId: id, sequence: membership.sequence, data });
    await this.mails.add(tx, 'membership', { membershipId: id, recipient: membership.email });
  }
}

/** A membership whose price and row are locked. */
export interface LockedMembership {
  readonly id: string;
  readonly price: SoldPrice;
  readonly emailKey: string;
  /** From when on it would be valid if it were paid now. */
  readonly validFrom: Date;
  readonly status: Membership['status'];
  /** It waited for its payment too long. */
  readonly lapsed: boolean;
  readonly released: boolean;
}

/** The price first, then the membership. @returns undefined when there is none */
export async function lockMembership(tx: Tx, id: string): Promise<LockedMembership | undefined> {
  const [known] = await tx.query<{ priceId: string }[]>('select price_id as "priceId" from membership where id = $1', [id]); // prettier-ignore
  const price = known && (await lockPrice(tx, known.priceId));
  if (!price) return undefined;
  const [membership] = await tx.query<Omit<LockedMembership, 'price'>[]>(
    `select id, email_key as "emailKey", greatest(valid_from, statement_timestamp()) as "validFrom", status,
       coalesce(expires_at <= statement_timestamp(), false) as lapsed, released_at is not null as released
     from membership where id = $1 for no key update`,
    [id],
  );
  return membership && { ...membership, price };
}

async function lockPrice(tx: Tx, id: string): Promise<SoldPrice | undefined> {
  const [price] = await tx.query<SoldPrice[]>(
    `select price.id, price.product_id as "productId", price.name, price.amount, price.published and product.published as published,
       product.category, price.max_per_user as "maxPerUser", price.stock, price.subscription_type as "subscriptionType",
       price.required_membership_id as "requiredMembershipId"
     from price join product on product.id = price.product_id where price.id = $1 for no key update of price`,
    [id],
  );
  return price;
}

async function load(tx: Tx, id: string): Promise<WholeMembership | undefined> {
  return (await tx.findOne(Membership, { where: { id }, relations: { product: true, price: true } })) ?? undefined;
}
