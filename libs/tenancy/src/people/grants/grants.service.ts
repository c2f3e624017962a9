import { Injectable } from '@nestjs/common';
import { databaseNow, isUuid, RefusedInput, retryOnDeadlock } from '#kernel';
import { currentTenant } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { texts } from '../../locales/tenancy.texts.js';
import { grantColumnsSql, grantJoinsSql, grantOfRow, type GrantRow } from '../roles/grant-rows.js';
import { fullGrant, type Grant, type GrantScope } from '../roles/grant.js';
import { levelsOf } from '../roles/permissions.js';
import { eventsOnly, isPreset, presets } from '../roles/presets.js';
import { hasFactorSql } from '../second-factor/recovery-codes.service.js';
import { UsersService } from '../users/users.service.js';
import { refuseBeyond, refuseMore, rightToChange, rightToGive, type PresentRight } from './present-rights.js';

/** A right as people give it. */
export interface NewGrant {
  /** Name of a preset, or the id of a role of the venue. */
  readonly role: string;
  readonly scope?: GrantScope;
  /** The right ends then. */
  readonly endsAt?: Date;
  readonly isSuspended?: boolean;
}

/** A person of a tenant. */
export interface VenuePerson {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly lastSignInAt: Date | null;
  readonly hasSecondFactor: boolean;
  readonly grant: Grant;
  /** Name of the venue's own role. */
  readonly roleName: string | null;
  readonly isSuspended: boolean;
  /** Whether the person may sign in now. */
  readonly isActive: boolean;
}

/** Most events or kinds of one right. */
const mostEntries = 500;

/** Who may use the panel of the current tenant, and as what. */
@Injectable()
export class GrantsService {
  constructor(
    private readonly db: TenantDb,
    private readonly users: UsersService,
  ) {}

  /** Everybody who has a right, also one that is suspended or over, ordered by name. */
  async list(): Promise<VenuePerson[]> {
    const rows = await this.db.sharedStatement<PersonRow & Record<string, unknown>>(listStatement, [currentTenant().id]);
    return rows.map(({ isFull, isSuspended, ...row }) => {
      const { userId, email, name, lastSignInAt, hasSecondFactor, roleName } = row;
      const person = { userId, email, name, lastSignInAt, hasSecondFactor };
      if (isFull) return { ...person, grant: fullGrant, roleName: null, isSuspended: false, isActive: true };
      return { ...person, grant: grantOfRow(row), roleName, isSuspended, isActive: row.isActive };
    });
  }

  /**
   * Gives a person a right in place of the one before, as the operator. Has effect at the next request of every process; keys of the person
   * that go beyond it are suspended.
   * @throws RefusedInput on `role`, `scope` or `endsAt`
   */
  async set(userId: string, given: NewGrant): Promise<void> {
    await this.write(userId, undefined, () => given);
  }

  /**
   * Gives a right to somebody who has none yet, in the caller's transaction.
   * @param by who gives it, and may give no more than the own right; undefined: the operator
   * @throws RefusedInput on `email` when the person has a right, on `role`, `scope` or `endsAt`
   */
  async addIn(tx: Tx, userId: string, given: NewGrant, by: string | undefined): Promise<void> {
    await this.writeIn(tx, userId, by, (present) => {
      if (present) throw alreadyHere();
      return given;
    });
  }

  /** Locks what `addIn` locks first. Must be called before other rows are locked that a change of a right locks later. */
  async lockIn(tx: Tx): Promise<void> {
    await directors(tx, currentTenant().id);
  }

  /**
   * Judges whether somebody may give a right now, and gives none.
   * @throws RefusedInput as `addIn`; on `email` when the person with this address has a right
   */
  async judgeIn(tx: Tx, email: string, given: NewGrant, by: string | undefined): Promise<void> {
    const { id: tenantId } = currentTenant();
    refuseUnfitGrant(given);
    refuseBeyond(await this.meantBy(tx, given, true), await rightToGive(tx, tenantId, by), undefined);
    const here = await tx.query<unknown[]>(hasRightSql, [tenantId, email]);
    if (here.length > 0) throw alreadyHere();
  }

  /** @throws RefusedInput on `role` when somebody may not give a right, and so may not take it back before it is accepted */
  async refuseMoreIn(tx: Tx, given: NewGrant, by: string | undefined): Promise<void> {
    refuseMore(await this.meantBy(tx, given, false), await rightToGive(tx, currentTenant().id, by));
  }

  /**
   * Changes the right of a person; a suspended one stays so.
   * @returns false when the person has none @throws RefusedInput as `addIn`, also when the person has more than `by`
   */
  change(userId: string, given: NewGrant, by: string): Promise<boolean> {
    return this.write(userId, by, (present) => present && { ...given, isSuspended: present.isSuspended });
  }

  /**
   * Suspends a right or lets the person in again.
   * @param by who changes it; undefined: the operator
   * @returns false when the person has none @throws RefusedInput as `change`
   */
  suspend(userId: string, isSuspended: boolean, by?: string): Promise<boolean> {
    return this.write(userId, by, (present) => present && { ...givenAgain(present.grant), isSuspended });
  }

  /**
   * Takes the right away.
   * @param by who takes it; undefined: the operator
   * @returns false when the person has none
   * @throws RefusedInput on `role` when nobody else directs the venue, or `by` has less or is the person
   */
  async remove(userId: string, by?: string): Promise<boolean> {
    const { id: tenantId } = currentTenant();
    return retryOnDeadlock(() =>
      this.db.shared(async (tx) => {
        await lockDirection(tx, tenantId, userId, true);
        const { present } = await rightToChange(tx, { tenantId, userId, by });
        if (!present) return false;
        await this.users.revokeIn(tx, userId, tenantId);
        return true;
      }),
    );
  }

  private write(userId: string, by: string | undefined, givenTo: GivenTo): Promise<boolean> {
    return retryOnDeadlock(() => this.db.shared((tx) => this.writeIn(tx, userId, by, givenTo)));
  }

  private async writeIn(tx: Tx, userId: string, by: string | undefined, givenTo: GivenTo): Promise<boolean> {
    const { id: tenantId } = currentTenant();
    const isLast = await lockDirection(tx, tenantId, userId, false);
    // Roles are locked before rights, as the change of a role does.
    await tx.query('select id from shared.venue_role where tenant_id = $1 order by id for share', [tenantId]);
    const { present, giver } = await rightToChange(tx, { tenantId, userId, by });
    const given = givenTo(present);
    if (!given) return false;
    refuseUnfitGrant(given);
    const { endsAt, isSuspended = false } = given;
    const grant = await this.meantBy(tx, given, true);
    refuseBeyond(grant, giver, present);
    const { role, roleId, scope } = grant;
    // Somebody who has a right accepts no other one. Before the right is written, because an acceptance locks the invitation first.
    if (!present) await this.users.closeInvitationsIn(tx, userId, tenantId);
    const isUnlimited = role === 'direction' && scope.kind === 'all' && !endsAt && !isSuspended;
    if (isUnlimited) {
      await tx.query('insert into shared.tenant_administrator (tenant_id, user_id) values ($1, $2) on conflict do nothing', [
        tenantId,
        userId,
      ]);
      await tx.query('delete from shared.role_grant where tenant_id = $1 and user_id = $2', [tenantId, userId]);
    } else {
      if (isLast) throw lastDirection();
      const { eventIds, kinds } = listsOf(scope);
      await tx.query('delete from shared.tenant_administrator where tenant_id = $1 and user_id = $2', [tenantId, userId]);
      const suspendedAt = isSuspended ? databaseNow() : null;
      await tx.query(upsertSql, [tenantId, userId, role, roleId ?? null, scope.kind, eventIds, kinds, endsAt ?? null, suspendedAt]);
    }
    await this.users.rightChangedIn(tx, userId, tenantId, {
      action: isSuspended ? 'role_suspended' : 'role_given',
      details: { role: given.role, scope: scope.kind },
    });
    return true;
  }

  /**
   * What a right allows.
   * @param isNew false: the role may have been deleted, and then allows nothing @throws RefusedInput on `role` when there is none
   */
  private async meantBy(tx: Tx, { role, scope = { kind: 'all' }, endsAt }: NewGrant, isNew: boolean): Promise<Grant> {
    const end = endsAt && { endsAt: endsAt.toISOString() };
    if (isPreset(role)) return { role, levels: presets[role], scope, ...end };
    const [own] = isUuid(role)
      ? await tx.query<{ levels: unknown }[]>('select levels from shared.venue_role where tenant_id = $1 and id = $2', [
          currentTenant().id,
          role,
        ])
      : [];
    if (!own && isNew) throw new RefusedInput('role', texts.localized('roles.refused.unknown'));
    return { role: 'own', roleId: role, levels: levelsOf(own?.levels), scope, ...end };
  }
}

/** The right that somebody gets in place of the present one; undefined: nothing changes. */
type GivenTo = (present: PresentRight | undefined) => NewGrant | undefined;

/** A right as it was given. */
const givenAgain = ({ role, roleId, scope, endsAt }: Grant): NewGrant => ({
  role: roleId ?? role,
  scope,
  ...(endsAt !== undefined && { endsAt: new Date(endsAt) }),
});

/**
 * Locks the people who direct the tenant, so that of two who leave at once the second one sees the other gone.
 * @returns whether the person is the last one
 * @throws RefusedInput on `role` when a person loses the direction and nobody else has it
 */
async function lockDirection(tx: Tx, tenantId: string, userId: string, loses: boolean): Promise<boolean> {
  const rows = await directors(tx, tenantId);
  const isLast = rows.length === 1 && rows[0]?.id === userId;
  if (loses && isLast) throw lastDirection();
  return isLast;
}

/** Somebody who directs a tenant, and since when. */
export interface Director {
  readonly id: string;
  readonly grantedAt: Date;
}

/** The people who direct a tenant, who are locked. */
export const directors = (tx: Tx, tenantId: string): Promise<Director[]> =>
  tx.query(
    `select user_id as id, granted_at as "grantedAt" from shared.tenant_administrator where tenant_id = $1 order by user_id for update`,
    [tenantId],
  );

/** Columns of a scope. */
export const listsOf = (scope: GrantScope): { eventIds: readonly string[]; kinds: readonly string[] } => ({
  eventIds: scope.kind === 'events' ? scope.eventIds : [],
  kinds: scope.kind === 'kinds' ? scope.kinds : [],
});

const alreadyHere = (): RefusedInput => new RefusedInput('email', texts.localized('roles.refused.alreadyHere'));
const lastDirection = (): RefusedInput => new RefusedInput('role', texts.localized('roles.refused.lastDirection'));

/** @throws RefusedInput on `role`, `scope` or `endsAt` */
function refuseUnfitGrant({ role, scope = { kind: 'all' }, endsAt }: NewGrant): void {
  const entries = scope.kind === 'events' ? scope.eventIds : scope.kind === 'kinds' ? scope.kinds : undefined;
  const isFit = entries === undefined ? !eventsOnly.has(role) : entries.length > 0 && entries.length <= mostEntries;
  if (!isFit) throw new RefusedInput('scope', texts.localized('roles.refused.needsEvents'));
  if (endsAt && endsAt.getTime() <= databaseNow().getTime()) {
    throw new RefusedInput('endsAt', texts.localized('roles.refused.endsInPast'));
  }
}

interface PersonRow extends GrantRow, Pick<VenuePerson, 'userId' | 'email' | 'name' | 'lastSignInAt' | 'hasSecondFactor' | 'roleName'> {
  readonly isFull: boolean;
  readonly isSuspended: boolean;
}

const upsertSql = `
  insert into shared.role_grant (tenant_id, user_id, role, role_id, scope, event_ids, kinds, ends_at, suspended_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
  on conflict (tenant_id, user_id) do update set role = excluded.role, role_id = excluded.role_id, scope = excluded.scope,
    event_ids = excluded.event_ids, kinds = excluded.kinds, ends_at = excluded.ends_at, suspended_at = excluded.suspended_at`;

const hasRightSql = `select 1 from shared.user_account u where u.email = $2 and (
  exists (select 1 from shared.tenant_administrator a where a.tenant_id = $1 and a.user_id = u.id)
  or exists (select 1 from shared.role_grant g where g.tenant_id = $1 and g.user_id = u.id))`;

const listStatement = {
  name: 'venue-people',
  text: `select u.id as "userId", u.email, u.name, u.last_sign_in_at as "lastSignInAt", a.user_id is not null as "isFull",
      r.name as "roleName", g.suspended_at is not null as "isSuspended", ${grantColumnsSql},
      ${hasFactorSql('u.id')} as "hasSecondFactor"
    from shared.user_account u left join shared.tenant_administrator a on a.user_id = u.id and a.tenant_id = $1 ${grantJoinsSql('$1')}
    where a.user_id is not null or g.user_id is not null order by u.name, u.id`,
};
