import { databaseNow, isUuid, RefusedInput, retryOnDeadlock } from '#kernel';
import { Injectable } from '@nestjs/common';
import { currentTenant } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { texts } from '../../locales/tenancy.texts.js';
import { TenantHistoryService } from '../../tenants/tenants/tenant-history.service.js';
import { hasFactorSql } from '../second-factor/recovery-codes.service.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { UserHistoryService } from '../users/user-history.service.js';
import { directors, type Director } from './grants.service.js';

/** Hours for which somebody else can confirm what a director asked for. */
export const factorResetHours = 24;
/**
 * Hours for which somebody directs the tenant before the question, to ask or to confirm: a director who makes a second account
 * of the own is seen by the others meanwhile.
 */
const settledHours = 24;
/** Mails to one person within a day. */
const mostAsked = 5;

/**
 * SQL: what a director of a tenant asked for: to reset the second factor of a person. It is over after a day, when it was confirmed or
 * taken back, when the factor changed, when the person signed in, and when who asked directs the tenant no more, or again. The record of
 * users is the only place where it stands.
 * @param person and @param tenant SQL of their ids
 */
export const openFactorResetSql = (person: string, tenant: string): string =>
  `select c.id, d.user_id as "askedBy", c.at as "askedAt"
   from shared.user_change c join shared.tenant_administrator d on cast(d.user_id as text) = c.details ->> 'by' and d.tenant_id = ${tenant}
   where c.user_id = ${person} and c.action = 'factor_reset_asked' and c.details ->> 'tenantId' = cast(${tenant} as text)
     and c.at > (select statement_timestamp() - interval '${factorResetHours} hours')
     and d.granted_at <= c.at - interval '${settledHours} hours'
     and not exists (select 1 from shared.user_change l where l.user_id = c.user_id and (l.details ->> 'request' = c.id::text
       or l.at > c.at and l.action in ('second_factor_on', 'second_factor_off', 'second_factor_reset', 'passkey_added')))
     and not exists (select 1 from shared.user_account s where s.id = c.user_id and s.last_sign_in_at > c.at)
   order by c.at desc limit 1`;

interface OpenReset {
  readonly id: string;
  readonly askedBy: string;
  readonly askedAt: Date;
}

/**
 * Two people who direct the current tenant reset the second factor of a third one who lost it: one asks, the other one confirms. It is for
 * people of this tenant alone: the account of somebody who has a right elsewhere, or operates the server, is the operator's to reset.
 */
@Injectable()
export class FactorResetsService {
  constructor(
    private readonly db: TenantDb,
    private readonly factor: SecondFactorService,
    private readonly users: UserHistoryService,
    private readonly tenants: TenantHistoryService,
  ) {}

  /** Asks for it. @returns false when the tenant has no such person @throws RefusedInput on `factor` */
  ask(userId: string, by: string): Promise<boolean> {
    return this.judged(userId, by, async (tx, open) => {
      if (open) throw refused('alreadyAsked');
      const [row] = await tx.query<{ asked: number }[]>(askedSql, [userId]);
      if ((row?.asked ?? 0) >= mostAsked) throw refused('tooOften');
      const { id: tenantId, slug } = currentTenant();
      await this.users.record(tx, { userId, action: 'factor_reset_asked', details: { tenant: slug, tenantId, by } });
      await this.note(tx, userId, 'factor_reset_asked');
    });
  }

  /**
   * Confirms what another director asked for: codes, passkeys and sessions of the person end. Of concurrent calls one succeeds.
   * @returns false when the tenant has no such person @throws RefusedInput on `factor`
   */
  confirm(userId: string, by: string): Promise<boolean> {
    return this.judged(userId, by, async (tx, open) => {
      if (!open) throw refused('over');
      if (open.askedBy === by) throw refused('ownQuestion');
      const details = { tenant: currentTenant().slug, request: open.id };
      if (!(await this.factor.resetIn(tx, userId, 'second_factor_reset_here', details))) throw refused('none');
      await this.note(tx, userId, 'second_factor_reset');
    });
  }

  /** Takes back what was asked for. @returns false when the tenant has no such person @throws RefusedInput on `factor` */
  async drop(userId: string, by: string): Promise<boolean> {
    if (!isUuid(userId)) return false;
    const { id: tenantId } = currentTenant();
    return this.alone(async (tx) => {
      await directorsWith(tx, tenantId, by);
      if (!(await this.dropIn(tx, userId))) throw refused('over');
      return true;
    });
  }

  /** When and by whom a reset was asked for; undefined: nothing is open. */
  openOf(userId: string): Promise<OpenReset | undefined> {
    return this.db.shared((tx) => openReset(tx, userId, currentTenant().id));
  }

  /** The person still has the factor: what was asked for ends at once. @returns false when nothing is open */
  keep(userId: string): Promise<boolean> {
    return this.alone(async (tx) => {
      // A confirmation locks it, too: one of both is first.
      await tx.query('select 1 from shared.user_account where id = $1 for update', [userId]);
      return this.dropIn(tx, userId);
    });
  }

  private async dropIn(tx: Tx, userId: string): Promise<boolean> {
    const { id: tenantId, slug } = currentTenant();
    const open = await openReset(tx, userId, tenantId);
    if (!open) return false;
    await this.users.record(tx, { userId, action: 'factor_reset_dropped', details: { tenant: slug, request: open.id } });
    await this.note(tx, userId, 'factor_reset_dropped');
    return true;
  }

  private async judged(userId: string, by: string, work: (tx: Tx, open: OpenReset | undefined) => Promise<void>): Promise<boolean> {
    if (!isUuid(userId)) return false;
    const { id: tenantId } = currentTenant();
    return this.alone(async (tx) => {
      const all = await directorsWith(tx, tenantId, by);
      if (by === userId) throw refused('own');
      // Nobody gives the person a right elsewhere meanwhile.
      await tx.query('select 1 from shared.user_account where id = $1 for update', [userId]);
      const [person] = await tx.query<Person[]>(personSql, [userId, tenantId]);
      if (!person?.isHere) return false;
      if (!person.hasFactor) throw refused('none');
      const open = await openReset(tx, userId, tenantId);
      const settled = settledAt(all, open?.askedAt ?? databaseNow());
      // One reason for both, so that a venue does not learn of rights elsewhere.
      if (person.isElsewhere || settled.filter((id) => id !== userId).length < 2) throw refused('operator');
      if (!settled.includes(by)) throw refused('tooNew');
      await work(tx, open);
      return true;
    });
  }

  /** Other changes of the factor lock it before the account. */
  private alone(work: (tx: Tx) => Promise<boolean>): Promise<boolean> {
    return retryOnDeadlock(() => this.db.shared(work));
  }

  private note(tx: Tx, userId: string, action: string): Promise<void> {
    const { id: tenantId, slug } = currentTenant();
    return this.tenants.record(tx, { tenantId, slug, action, details: { user: userId } });
  }
}

interface Person {
  readonly isHere: boolean;
  /** The person has a right at another tenant, or on the server. */
  readonly isElsewhere: boolean;
  readonly hasFactor: boolean;
}

const rightsSql = `(select tenant_id from shared.tenant_administrator where user_id = $1
  union all select tenant_id from shared.role_grant where user_id = $1) r`;
const personSql = `select exists (select 1 from ${rightsSql} where r.tenant_id = $2) as "isHere",
    u.is_super_user or u.may_create_tenants or exists (select 1 from ${rightsSql} where r.tenant_id <> $2) as "isElsewhere",
    ${hasFactorSql('u.id')} as "hasFactor"
  from shared.user_account u where u.id = $1`;

const askedSql = `select count(*)::int as asked from shared.user_change
  where user_id = $1 and action = 'factor_reset_asked' and at > (select statement_timestamp() - interval '1 day')`;

/** Locks the people who direct the tenant, so that who confirms directs it until it is done. @throws RefusedInput when `by` does not */
async function directorsWith(tx: Tx, tenantId: string, by: string): Promise<Director[]> {
  const all = await directors(tx, tenantId);
  if (!all.some(({ id }) => id === by)) throw refused('notDirector');
  return all;
}

/** Those who directed the tenant long enough at a moment. */
const settledAt = (all: readonly Director[], at: Date): string[] =>
  all.filter(({ grantedAt }) => grantedAt.getTime() <= at.getTime() - settledHours * 3_600_000).map(({ id }) => id);

async function openReset(tx: Tx, userId: string, tenantId: string): Promise<OpenReset | undefined> {
  return (await tx.query<OpenReset[]>(openFactorResetSql('$1::uuid', '$2::uuid'), [userId, tenantId]))[0];
}

type Reason = 'notDirector' | 'own' | 'operator' | 'none' | 'tooNew' | 'alreadyAsked' | 'tooOften' | 'over' | 'ownQuestion';

const refused = (reason: Reason): RefusedInput => new RefusedInput('factor', texts.localized(`factorResets.refused.${reason}`));
