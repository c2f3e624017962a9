import { RefusedInput } from '#kernel';
import type { Tx } from '../../database/transactions/tx.js';
import { texts } from '../../locales/tenancy.texts.js';
import { grantColumnsSql, grantJoinsSql, grantOfRow, type GrantRow } from '../roles/grant-rows.js';
import { endsAfter, fullGrant, isGrantWithin, type Grant } from '../roles/grant.js';
import { isWithin, reaches, type PermissionLevels } from '../roles/permissions.js';

/** The right that a person has at a tenant, also one that is suspended or over. */
export interface PresentRight {
  readonly grant: Grant;
  readonly isActive: boolean;
  readonly isSuspended: boolean;
}

interface Row extends GrantRow {
  readonly id: string;
  readonly isSuper: boolean;
  readonly isDirector: boolean;
  readonly isSuspended: boolean;
}

/** The rights of people at a tenant, by user id. */
async function presentRights(tx: Tx, tenantId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, Row>> {
  const rows = await tx.query<Row[]>(
    `select u.id, u.is_super_user as "isSuper", a.user_id is not null as "isDirector", g.suspended_at is not null as "isSuspended",
       ${grantColumnsSql}
     from shared.user_account u left join shared.tenant_administrator a on a.user_id = u.id and a.tenant_id = $1 ${grantJoinsSql('$1')}
     where u.id = any($2)`,
    [tenantId, userIds],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** What somebody may give to others; undefined: nothing. */
function givenBy(row: Row | undefined): Grant | undefined {
  if (row?.isSuper || row?.isDirector) return fullGrant;
  const grant = row?.role && row.isActive ? grantOfRow(row) : undefined;
  return grant && reaches(grant.levels, 'people.change') ? grant : undefined;
}

/**
 * What somebody may give to others at a tenant, as it is now: for what is judged again later, under locks.
 * @param by undefined: the operator
 */
export async function rightToGive(tx: Tx, tenantId: string, by: string | undefined): Promise<Grant | undefined> {
  return by === undefined ? fullGrant : givenBy((await presentRights(tx, tenantId, [by])).get(by));
}

/**
 * What somebody may give to others at a tenant, and holds until the transaction ends: who takes it away at the same time waits, or comes
 * first and is seen here. Locks in the order of a change of a right; nothing of the tenant's people may be locked before.
 * @param by undefined: the operator
 * @param roleId a role that the transaction changes; its holders are locked, too
 */
export async function heldRightToGive(tx: Tx, tenantId: string, by: string | undefined, roleId?: string): Promise<Grant | undefined> {
  if (by === undefined) return fullGrant;
  await tx.query('select 1 from shared.tenant_administrator where tenant_id = $1 and user_id = $2 for key share', [tenantId, by]);
  const mode = roleId === undefined ? 'share' : 'update';
  await tx.query(`select 1 from shared.venue_role where tenant_id = $1 order by id for ${mode}`, [tenantId]);
  await tx.query(
    'select 1 from shared.role_grant where tenant_id = $1 and (user_id = $2 or role_id = $3::uuid) order by user_id for update',
    [tenantId, by, roleId ?? null],
  );
  await tx.query('select 1 from shared.user_account where id = $1 for share', [by]);
  return rightToGive(tx, tenantId, by);
}

/**
 * The present right of a person, undefined when there is none. Locks it and that of who changes it, so that nobody gives with a right that
 * is taken away at the same time. The rows of `tenant_administrator` and the roles must be locked before.
 * @param by who changes it; undefined: the operator
 * @throws RefusedInput on `role` when `by` is the person or has less
 */
export async function rightToChange(
  tx: Tx,
  { tenantId, userId, by }: { tenantId: string; userId: string; by: string | undefined },
): Promise<{ readonly present: PresentRight | undefined; readonly giver: Grant | undefined }> {
  if (by === userId) throw new RefusedInput('role', texts.localized('roles.refused.ownRight'));
  const people = by === undefined ? [userId] : [userId, by];
  await tx.query('select 1 from shared.role_grant where tenant_id = $1 and user_id = any($2) order by user_id for update', [
    tenantId,
    people,
  ]);
  const rows = await presentRights(tx, tenantId, people);
  const row = rows.get(userId);
  const hasRight = row?.isDirector === true || (row?.role ?? null) !== null;
  const present = !row || !hasRight ? undefined : rightOf(row);
  const giver = by === undefined ? fullGrant : givenBy(rows.get(by));
  const most = row?.isSuper ? fullGrant : present?.grant;
  if (!giver || (most && !isGrantWithin(most, giver))) throw beyondOwn();
  return { present, giver };
}

const rightOf = (row: Row): PresentRight =>
  row.isDirector
    ? { grant: fullGrant, isActive: true, isSuspended: false }
    : { grant: grantOfRow(row), isActive: row.isActive, isSuspended: row.isSuspended };

/** @throws RefusedInput on `role` when a right allows more than the giver has, whenever it ends */
export function refuseMore(given: Grant, giver: Grant | undefined): asserts giver {
  if (!giver || !isGrantWithin(given, giver)) throw beyondOwn();
}

/** @throws RefusedInput on `role` or `endsAt` when a right is more than the giver has */
export function refuseBeyond(given: Grant, giver: Grant | undefined, present: PresentRight | undefined): void {
  refuseMore(given, giver);
  if (endsAfter(given, giver) && (!present || endsAfter(given, present.grant))) {
    throw new RefusedInput('endsAt', texts.localized('roles.refused.endsAfterOwn'));
  }
}

/**
 * Refuses to make, change or delete a role with more than one has, and to change the own role.
 * @param giver the own right, see `heldRightToGive`
 * @throws RefusedInput on `name`
 */
export function refuseRoleBeyond(giver: Grant | undefined, levels: readonly PermissionLevels[], roleId?: string): void {
  if (roleId !== undefined && giver?.roleId === roleId) throw new RefusedInput('name', texts.localized('roles.refused.ownRole'));
  const isCovered = giver?.scope.kind === 'all' && levels.every((one) => isWithin(one, giver.levels));
  if (!isCovered) throw new RefusedInput('name', texts.localized('roles.refused.beyondOwn'));
}

const beyondOwn = (): RefusedInput => new RefusedInput('role', texts.localized('roles.refused.beyondOwn'));
