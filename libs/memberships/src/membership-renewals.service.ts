import { answersAgain, MailsService, RefusedBooking } from '#tickets';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { databaseNow, RefusedInput, retryOnDeadlock } from '#kernel';
import { JobsService } from '#jobs';
import { PaymentAccountMissing, RepeatedChargesService, type ChargeResult } from '#payments';
import { hasModule, ScheduledTasks, TenantDb, type Tx } from '#tenancy';
import { isFreeOffer, type MembershipOffer } from './membership-offers.js';
import { MembershipOrdersService } from './membership-orders.service.js';
import { MembershipsService } from './memberships.service.js';
import { loadMembership, type WholeMembership } from './rows/membership-rows.js';
import { MembershipRenewal } from './rows/membership-renewal.entity.js';
import { automaticRenewal, chargeDays, isWantedSql, renewalAmountSql, type AutomaticRenewal } from './rows/renewal-rows.js';

/** Charges a membership that is due; its subject is the membership that ends. */
const renewalJob = 'membership-renewal';
/** Rows of one transaction. */
const step = 200;
const mostAttempts = 3;
/** Days between two attempts: all of them are before the end. */
const pauseDays = 3;
/** A day in milliseconds. */
const dayMs = 86_400_000;

/**
 * Memberships that are announced now: a month before the end, or 16 days for periods of up to two months. The charge is a week before the
 * end, and at least a week after the announcement; where no time is left for that, members are reminded like others.
 */
const dueToAnnounceSql = `select membership.id, membership.email, ${renewalAmountSql} as amount,
    greatest(membership.valid_until - interval '${chargeDays} days', now() + interval '7 days') as "dueAt"
  from membership_renewal renewal join membership on membership.id = renewal.membership_id join price on price.id = membership.price_id
  where renewal.announced_at is null and ${isWantedSql('membership.id')} and price.published
    and membership.status = 'active' and membership.email <> '' and ${renewalAmountSql} > 0
    and membership.valid_until > now() + interval '7 days' and membership.valid_until <= now()
      + case when membership.valid_until - membership.valid_from > interval '60 days' then interval '30 days' else interval '16 days' end
    and not exists (select from membership later where later.product_id = membership.product_id
      and later.email_key = membership.email_key and later.id <> membership.id and later.status = 'active'
      and coalesce(later.valid_until > membership.valid_until, true))
  order by membership.valid_until limit ${step} for no key update of renewal skip locked`;

/** A charge that was begun. */
interface Begun {
  readonly old: WholeMembership;
  readonly row: MembershipRenewal;
  readonly earlier: NonNullable<Awaited<ReturnType<RepeatedChargesService['earlier']>>>;
  readonly isOnlyLooked: boolean;
}

/**
 * Renews memberships by themselves: announces the charge, charges the means of payment that the provider kept, and ends after the third
 * refusal. One row for each membership decides: a charge has its payment in it before the provider is asked, and until the outcome is
 * known no other one begins.
 */
@Injectable()
export class MembershipRenewalsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly orders: MembershipOrdersService,
    private readonly memberships: MembershipsService,
    private readonly charges: RepeatedChargesService,
    private readonly mails: MailsService,
    private readonly jobs: JobsService,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.jobs.handle(renewalJob, (id) => this.charge(id));
    this.tasks.add('membership renewals', () => this.run());
  }

  /** Announces what is to be charged in the current tenant, and schedules the charges that are due. */
  async run(): Promise<void> {
    if (!hasModule('membership')) return;
    for (let told = step; told === step;) told = await this.db.transaction((tx) => this.announceSome(tx));
    await this.db.transaction(async (tx) => {
      const due = await tx.query<{ id: string }[]>(
        `select membership_id as id from membership_renewal where payment_id is not null or (ended is null and due_at <= now())
         order by due_at limit 5000`,
      );
      await this.jobs.addAll(
        tx,
        due.map(({ id }) => ({ kind: renewalJob, subjectId: id })),
      );
    });
  }

  /** Whether buyers of a membership can ask for it: the venue allows it, it costs something, and a payment provider can charge again. */
  async isOffered(offer: MembershipOffer): Promise<boolean> {
    return offer.autoRenewal && !isFreeOffer(offer) && (await this.charges.available());
  }

  /** How a membership renews by itself; undefined: it does not. */
  find(membershipId: string): Promise<AutomaticRenewal | undefined> {
    return this.db.transaction((tx) => automaticRenewal(tx, membershipId));
  }

  /**
   * Stops it, also for the membership that follows. A charge that was begun before is not called back.
   * @param userId of the member of staff; undefined: the member stops it
   * @returns whether it was to be renewed
   */
  stop(membershipId: string, userId?: string): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const [rows] = await tx.query<[unknown[], number]>(
        `update membership_renewal set ended = 'stopped', ended_at = (select now()), stopped_by = $2
         from membership own, membership other where own.id = $1 and other.product_id = own.product_id
           and other.email_key = own.email_key and membership_renewal.membership_id = other.id and membership_renewal.ended is null
         returning membership_renewal.membership_id`,
        [membershipId, userId ?? null],
      );
      return rows.length > 0;
    });
  }

  private async announceSome(tx: Tx): Promise<number> {
    const due = await tx.query<{ id: string; email: string; amount: string; dueAt: Date }[]>(dueToAnnounceSql);
    for (const { id, email: recipient, amount, dueAt } of due) {
      await tx.query('update membership_renewal set announced_at = (select now()), amount = $2, due_at = $3 where membership_id = $1', [
        id,
        amount,
        dueAt,
      ]);
      // The reminder of the end says that nothing is charged.
      await tx.query('update membership set reminder = 2 where id = $1', [id]);
      await this.mails.add(tx, 'membership-renewal', { membershipId: id, recipient });
    }
    return due.length;
  }

  /**
   * Charges a membership that is due, or finds out what became of a charge that was begun. It bears repetition and concurrent calls.
   * @throws PaymentProviderUnavailable when that is not known yet
   */
  async charge(id: string): Promise<void> {
    const begun = await this.begin(id);
    if (!begun?.row.paymentId) return;
    const { old, row, earlier, isOnlyLooked } = begun;
    const description = `${old.product.name} · ${old.price.name}`;
    const result = await this.charges.charge(begun.row.paymentId, earlier, { description, isOnlyLooked });
    if (result.state !== 'under_way') await this.finish(row, result);
  }

  private async begin(id: string): Promise<Begun | undefined> {
    const nextId = await this.orders.nextId(id);
    try {
      return await retryOnDeadlock(() => this.db.transaction((tx) => this.beginIn(tx, id, nextId)));
    } catch (error) {
      if (error instanceof BeingPaid) return undefined;
      if (!(error instanceof RefusedBooking || error instanceof RefusedInput || error instanceof PaymentAccountMissing)) throw error;
      // It is not sold any more, or the account was removed: nothing was charged.
      await this.end(id, 'failed');
      return undefined;
    }
  }

  /** The row's lock decides about concurrent calls: the later one finds the payment of the earlier one. */
  private async beginIn(tx: Tx, id: string, nextId: string): Promise<Begun | undefined> {
    const row = await tx.findOne(MembershipRenewal, { where: { membershipId: id }, lock: { mode: 'pessimistic_write' } });
    const old = row && (await loadMembership(tx, id));
    const earlier = old && (await this.charges.earlier(tx, id));
    if (!row || !old) return undefined;
    if (row.paymentId !== null) {
      if (!earlier) return undefined;
      const next = row.nextId === null ? undefined : await loadMembership(tx, row.nextId);
      return { old, row, earlier, isOnlyLooked: row.ended !== null || next?.status !== 'pending' };
    }
    if (row.ended !== null || row.dueAt === null || row.dueAt > databaseNow()) return undefined;
    const [found] = await tx.query<{ isWanted: boolean }[]>(`select ${isWantedSql('$1')} as "isWanted"`, [id]);
    const isEnding = old.status === 'active' && old.email !== '' && old.validUntil !== null && old.validUntil > databaseNow();
    if (!found?.isWanted || !isEnding || !earlier || row.amount === null) throw new RefusedBooking('sale_ended', 'priceId');
    const isRenewed = (await this.hasLater(tx, old)) || undefined;
    const next = isRenewed ?? (await this.memberships.createIn(tx, { ...wantedOf(old), id: nextId, agreedAmount: row.amount }, true));
    if (next === true || next.status === 'active') {
      await tx.update(MembershipRenewal, { membershipId: id }, { ended: 'renewed', endedAt: databaseNow() });
      return undefined;
    }
    // It was cancelled at the same time: the next attempt makes another one.
    if (next.status !== 'pending') throw new BeingPaid();
    const paymentId = await this.charges.begin(tx, { membershipId: next.id }, earlier);
    if (paymentId === undefined) throw new BeingPaid();
    const dueAt = new Date(databaseNow().getTime() + pauseDays * dayMs);
    const change = { paymentId, nextId: next.id, attempts: row.attempts + 1, dueAt };
    await tx.update(MembershipRenewal, { membershipId: id }, change);
    return { old, row: { ...row, ...change }, earlier, isOnlyLooked: false };
  }

  /** Whether the member renewed already. */
  private async hasLater(tx: Tx, { id, productId, emailKey, validUntil }: WholeMembership): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      `select from membership where product_id = $1 and email_key = $2 and id <> $3 and status = 'active'
         and coalesce(valid_until > $4, true) limit 1`,
      [productId, emailKey, id, validUntil],
    );
    return rows.length > 0;
  }

  /** Records the outcome of a charge. A repeated call has no further effect. */
  private async finish({ membershipId: id, paymentId, nextId, attempts }: MembershipRenewal, result: ChargeResult): Promise<void> {
    const next = nextId === null ? undefined : await this.memberships.find(nextId);
    const isRenewed = result.state === 'paid' && next?.status === 'active';
    if (!isRenewed && next?.status === 'pending') await this.memberships.cancel(next.id);
    await this.db.transaction(async (tx) => {
      const ended = isRenewed ? 'renewed' : isFinal(result) || attempts >= mostAttempts ? 'failed' : null;
      const [rows] = await tx.query<[{ ended: string | null }[], number]>(
        `update membership_renewal set payment_id = null, ended = coalesce(ended, $3),
           ended_at = case when $3::text is null then ended_at else coalesce(ended_at, (select now())) end
         where membership_id = $1 and payment_id = $2 returning ended`,
        [id, paymentId, ended],
      );
      if (rows.length > 0 && !isRenewed && rows[0]?.ended !== 'stopped') await this.tellFailure(tx, id);
    });
  }

  private async end(id: string, ended: 'failed'): Promise<void> {
    await this.db.transaction(async (tx) => {
      const [rows] = await tx.query<[unknown[], number]>(
        `update membership_renewal set ended = $2, ended_at = (select now())
         where membership_id = $1 and ended is null and payment_id is null returning membership_id`,
        [id, ended],
      );
      if (rows.length > 0) await this.tellFailure(tx, id);
    });
  }

  private async tellFailure(tx: Tx, id: string): Promise<void> {
    const membership = await loadMembership(tx, id);
    if (!membership || membership.email === '') return;
    await this.mails.add(tx, 'membership-renewal-failed', { membershipId: id, recipient: membership.email });
  }
}

/** The membership that follows is being paid by the member: nothing is charged meanwhile. */
class BeingPaid extends Error {
  override readonly name = 'BeingPaid';
}

/** Refusals that no later attempt changes: the bank wants the buyer, or the account or the means is gone. */
function isFinal({ state, reason }: ChargeResult): boolean {
  return state === 'paid' || ['authentication_required', 'account', 'no_means', 'resource_missing'].includes(reason ?? '');
}

/** The membership that follows, with the same answers. */
function wantedOf({ priceId, email, firstName, lastName, language, answers }: WholeMembership) {
  return {
    priceId,
    email,
    firstName,
    lastName,
    ...(language && { language }),
    answers: answersAgain(answers),
    answersOptional: true,
    renewsItself: true,
  };
}
