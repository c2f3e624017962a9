import { Injectable, type OnModuleInit } from '@nestjs/common';
import { RefusedInput, refuseUnfitTexts, retryOnDeadlock, violatedConstraint, wireAddress, type Language } from '#kernel';
import type { PasswordCaller } from '../../passwords/password-queue.js';
import { isCommonPassword } from '../../passwords/common-passwords.js';
import { hashPassword, inventPassword, maximumPasswordLength, minimumPasswordLength } from '../../passwords/passwords.js';
import { endSessionsOf } from '../sessions/sessions.service.js';
import { emailHash } from '../attempts/sign-in-limits.js';
import { TenantHistoryService } from '../../tenants/tenants/tenant-history.service.js';
import { suspendKeysWithoutRight } from './owner-rights.js';
import { UserHistoryService } from './user-history.service.js';
import { TenantAdministrator } from './tenant-administrator.entity.js';
import { ScheduledTasks } from '../../database/scheduled/scheduled-tasks.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { User } from './user.entity.js';
import { Tenant } from '../../tenants/tenants/tenant.entity.js';
import { texts } from '../../locales/tenancy.texts.js';

export interface NewUser {
  readonly email: string;
  readonly name?: string;
  /** Generated when absent. */
  readonly password?: string;
  readonly isSuperUser?: boolean;
  readonly mayCreateTenants?: boolean;
}

/** A change of a right, as the records show it. */
export interface RightChange {
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Maximum lengths of a user's texts. The password has its own rules. */
const userTexts = { name: 200 };

/** Users who sign in to panels. */
@Injectable()
export class UsersService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly history: UserHistoryService,
    private readonly tenantHistory: TenantHistoryService,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.addForNode('suspend keys without right', () => this.db.shared((tx) => suspendKeysWithoutRight(tx)));
  }

  /** @returns the user's id and the password, which cannot be read again. @throws RefusedInput on email or password */
  async create(input: NewUser): Promise<{ id: string; email: string; password: string }> {
    refuseUnfitTexts(input, userTexts);
    const email = normalizeEmail(input.email);
    const password = input.password ?? inventPassword();
    await checkPassword(password);
    const passwordHash = await hashPassword(password, { kind: 'staff' });
    try {
      const id = await this.db.shared(async (tx) => {
        const userId = await this.insert(tx, { ...input, email }, passwordHash);
        const { isSuperUser = false, mayCreateTenants = false } = input;
        await this.history.record(tx, { userId, action: 'created', details: { isSuperUser, mayCreateTenants } });
        return userId;
      });
      return { id, email, password };
    } catch (error) {
      throw emailTaken(error, email) ?? error;
    }
  }

  /** @returns null when there is no such user; ignores case and surrounding spaces */
  findByEmail(email: string): Promise<User | null> {
    return this.db.shared((tx) => tx.findOneBy(User, { email: email.trim().toLowerCase() }));
  }

  /**
   * Grants or revokes the given rights; a repetition changes nothing. Every change is recorded.
   * @throws RefusedInput on `isSuperUser` when the user is the last super-user
   */
  async grant(userId: string, rights: { tenantId?: string; mayCreateTenants?: boolean; isSuperUser?: boolean }): Promise<void> {
    await retryOnDeadlock(() => this.db.shared((tx) => this.grantIn(tx, userId, rights)));
  }

  private async grantIn(tx: Tx, userId: string, { tenantId, ...flags }: Parameters<UsersService['grant']>[1]): Promise<void> {
    const before = await lockRights(tx, userId, flags.isSuperUser === false);
    if (!before) return;
    const changed = changedRights(before, flags);
    if (Object.keys(changed).length > 0) await tx.update(User, { id: userId }, changed);
    if (flags.isSuperUser !== undefined) await endSessionsOf(this.db, tx, userId);
    if (flags.isSuperUser === false || flags.mayCreateTenants === false) await this.suspendKeys(tx, userId);
    for (const [right, given] of Object.entries(changed)) {
      const name = right === 'isSuperUser' ? 'super_user' : 'may_create';
      await this.history.record(tx, { userId, action: `${name}_${given ? 'granted' : 'revoked'}` });
    }
    if (tenantId) await this.grantTenant(tx, userId, tenantId);
  }

  /**
   * Changes name, e-mail address or language. Links that were mailed to an earlier address no longer work.
   * @param change.language null: the one of the browser
   * @returns false when there is no such user. @throws RefusedInput on email
   */
  async change(userId: string, change: { name?: string; email?: string; language?: Language | null }): Promise<boolean> {
    refuseUnfitTexts(change, userTexts);
    const email = change.email === undefined ? undefined : normalizeEmail(change.email);
    const name = change.name?.trim();
    const { language } = change;
    const columns = { ...(name && { name }), ...(email && { email }), ...(language !== undefined && { language }) };
    try {
      return await this.db.shared(async (tx) => {
        if (Object.keys(columns).length === 0) return tx.existsBy(User, { id: userId });
        if (email && !(await tx.existsBy(User, { id: userId, email }))) await this.endLinks(tx, userId);
        return (await tx.update(User, { id: userId }, columns)).affected === 1;
      });
    } catch (error) {
      throw emailTaken(error, email) ?? error;
    }
  }

  /** Revokes the right to a tenant's panel, ends the user's sessions and suspends the user's keys there, in one transaction. */
  async revoke(userId: string, tenantId: string): Promise<void> {
    await retryOnDeadlock(() => this.db.shared((tx) => this.revokeIn(tx, userId, tenantId)));
  }

  /** `revoke` in the caller's transaction. */
  async revokeIn(tx: Tx, userId: string, tenantId: string): Promise<void> {
    const { affected } = await tx.delete(TenantAdministrator, { tenantId, userId });
    const limited = await tx.query<[unknown[], number]>(`${endLimited} returning user_id`, [tenantId, userId]);
    if (affected || limited[1] > 0) await this.recordAdministrator(tx, userId, tenantId, 'administrator_revoked');
    await this.closeInvitationsIn(tx, userId, tenantId);
    await this.suspendKeys(tx, userId);
    await endSessionsOf(this.db, tx, userId);
  }

  /** Closes the invitation of a person whose right is decided otherwise. It is on the node of its tenant. */
  closeInvitationsIn(tx: Tx, userId: string, tenantId: string): Promise<void> {
    return this.db.everywhere(tx, (there) => there.query(closeInvitations, [tenantId, userId]));
  }

  /** Records the change of a right in the transaction that makes it, and suspends the user's keys that go beyond it. */
  async rightChangedIn(tx: Tx, userId: string, tenantId: string, { action, details }: RightChange): Promise<void> {
    await this.recordAdministrator(tx, userId, tenantId, action, details);
    await this.suspendKeys(tx, userId);
  }

  /** Suspends the keys of the user that go beyond the rights, in the transaction that changes them. An hourly task makes sure of it. */
  suspendKeys(tx: Tx, userId: string): Promise<void> {
    return this.db.everywhere(tx, (there) => suspendKeysWithoutRight(there, userId));
  }

  /**
   * Sets a new password (generated when absent), ends all sessions of the user and removes sign-in locks.
   * @returns the password, which cannot be read again. @throws RefusedInput on password
   */
  async setPassword(userId: string, password: string = inventPassword()): Promise<string> {
    const passwordHash = await this.hash(password);
    await this.db.shared((tx) => this.setPasswordIn(tx, userId, passwordHash));
    return password;
  }

  /**
   * Hashes a password for storage. Must not be called inside a transaction, because it is slow.
   * @throws RefusedInput on password; UnavailableError when too many passwords wait
   */
  async hash(password: string = inventPassword(), caller: PasswordCaller = { kind: 'staff' }): Promise<string> {
    await checkPassword(password);
    return hashPassword(password, caller);
  }

  /** `setPassword` in the caller's transaction. @param passwordHash result of `hash` */
  async setPasswordIn(tx: Tx, userId: string, passwordHash: string): Promise<void> {
    await tx.update(User, { id: userId }, { passwordHash });
    await endSessionsOf(this.db, tx, userId);
    await this.endLinks(tx, userId);
    const user = await tx.findOneBy(User, { id: userId });
    if (user) await this.db.everywhere(tx, (there) => there.query(forgetAttempts, [emailHash(user.email)]));
  }

  /**
   * Finds the user with this e-mail address, or creates one. Of concurrent calls exactly one creates the user.
   * @param passwordHash for a new user, see `hash`
   * @throws RefusedInput on email
   */
  async ensureIn(tx: Tx, address: string, passwordHash: string): Promise<{ id: string; isNew: boolean }> {
    const email = normalizeEmail(address);
    const made = await tx.query<{ id: string }[]>(
      `insert into shared.user_account (email, name, password_hash) values ($1, $2, $3) on conflict (email) do nothing returning id`,
      [email, email.split('@')[0], passwordHash],
    );
    if (made[0]) {
      await this.history.record(tx, { userId: made[0].id, action: 'created' });
      return { id: made[0].id, isNew: true };
    }
    const { id } = await tx.findOneByOrFail(User, { email });
    return { id, isNew: false };
  }

  /** Ends the links to a password. */
  private endLinks(tx: Tx, userId: string): Promise<void> {
    return this.db.everywhere(tx, (there) => there.query(endLinks, [userId]));
  }

  private async grantTenant(tx: Tx, userId: string, tenantId: string): Promise<void> {
    // Before the right is written, because an acceptance locks the invitation first.
    await this.closeInvitationsIn(tx, userId, tenantId);
    const given = await tx.query<unknown[]>(
      `insert into shared.tenant_administrator (tenant_id, user_id) values ($1, $2) on conflict do nothing returning user_id`,
      [tenantId, userId],
    );
    // A right without limits takes the place of one with limits.
    await tx.query(endLimited, [tenantId, userId]);
    if (given.length > 0) await this.recordAdministrator(tx, userId, tenantId, 'administrator_granted');
  }

  /** Records the change for the user and for the tenant. */
  private async recordAdministrator(
    tx: Tx,
    userId: string,
    tenantId: string,
    action: string,
    details: RightChange['details'] = {},
  ): Promise<void> {
    const tenant = await tx.findOne(Tenant, { select: { id: true, slug: true }, where: { id: tenantId } });
    const user = await tx.findOne(User, { select: { id: true, email: true }, where: { id: userId } });
    if (!tenant || !user) return;
    await this.history.record(tx, { userId, action, details: { ...details, tenant: tenant.slug } });
    await this.tenantHistory.record(tx, { tenantId, slug: tenant.slug, action, details: { user: userId } });
  }

  private async insert(tx: Tx, input: NewUser, passwordHash: string): Promise<string> {
    const { identifiers } = await tx.insert(User, {
      email: input.email,
      name: input.name?.trim() || (input.email.split('@')[0] as string),
      passwordHash,
      isSuperUser: input.isSuperUser ?? false,
      mayCreateTenants: input.mayCreateTenants ?? false,
    });
    return (identifiers[0] as { id: string }).id;
  }
}

const endLimited = 'delete from shared.role_grant where tenant_id = $1 and user_id = $2';
const endLinks = 'update shared.password_link set used_at = (select now()) where user_id = $1 and used_at is null';
const closeInvitations = `update shared.invitation set closed_at = (select now()) where tenant_id = $1 and closed_at is null
  and email in (select u.email from shared.user_account u where u.id = $2)`;
const forgetAttempts = 'delete from shared.sign_in_attempt where email_hash = $1';

interface Rights {
  readonly isSuperUser: boolean;
  readonly mayCreateTenants: boolean;
}

/**
 * Locks a user, and with `revokesSuper` all super-users ordered by id. When two super-users revoke each other's right at once, the second
 * transaction waits and then sees the result of the first.
 * @returns undefined when there is no such user @throws RefusedInput when no super-user would remain
 */
async function lockRights(tx: Tx, userId: string, revokesSuper: boolean): Promise<Rights | undefined> {
  const rows = await tx.query<(Rights & { id: string })[]>(
    `select id, is_super_user as "isSuperUser", may_create_tenants as "mayCreateTenants" from shared.user_account
     where id = $1 or ($2 and is_super_user) order by id for no key update`,
    [userId, revokesSuper],
  );
  const user = rows.find(({ id }) => id === userId);
  if (user?.isSuperUser && revokesSuper && !rows.some(({ id, isSuperUser }) => id !== userId && isSuperUser)) {
    throw new RefusedInput('isSuperUser', texts.localized('users.lastSuperUser'));
  }
  return user;
}

/** The rights that differ from the current ones. */
function changedRights(before: Rights, wanted: Partial<Rights>): Partial<Rights> {
  const names = ['isSuperUser', 'mayCreateTenants'] as const;
  const changed = names.filter((name) => wanted[name] !== undefined && wanted[name] !== before[name]);
  return Object.fromEntries(changed.map((name) => [name, wanted[name]]));
}

function emailTaken(error: unknown, email: string | undefined): RefusedInput | undefined {
  if (violatedConstraint(error) !== 'user_account_email_key') return undefined;
  return new RefusedInput('email', texts.localized('users.exists', { email }));
}

/** @throws RefusedInput on password */
async function checkPassword(password: string): Promise<void> {
  if (password.length < minimumPasswordLength || password.length > maximumPasswordLength)
    throw new RefusedInput('password', texts.localized('users.passwordLength', { minimumPasswordLength, maximumPasswordLength }));
  if (await isCommonPassword(password, minimumPasswordLength)) throw new RefusedInput('password', texts.localized('users.passwordCommon'));
}

/** The address of an account in lower case. @throws RefusedInput on `email` when the text is no e-mail address */
export function normalizeEmail(text: string): string {
  const shown = text.slice(0, 254);
  const email = shown.trim().toLowerCase();
  if (text.length > 254 || wireAddress(email) === undefined) {
    throw new RefusedInput('email', texts.localized('users.emailInvalid', { shown }));
  }
  return email;
}
