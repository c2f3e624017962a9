import { Injectable } from '@nestjs/common';
import { RateLimits, type WaitingClient } from '#kernel';
import { currentTenant } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import { KnownBrowsers } from './known-browsers.js';
import type { InPasswordTurn, PasswordCaller } from '../../passwords/password-queue.js';
import { maximumPasswordLength, verifyPassword, withPasswordPlace } from '../../passwords/passwords.js';
import { emailHash, signInSubjects, type SignInSubject } from './sign-in-limits.js';

/** The user as stored in the panel session. */
export interface PanelUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly isSuperUser: boolean;
  /** The session is valid while the user's session version has this value. */
  readonly sessionVersion: number;
}

/** A sign-in form as sent by the browser. */
export interface SignInAttempt {
  readonly email: string;
  readonly password: string;
  /** IP address of the caller. */
  readonly client?: string | undefined;
  /** Value of the cookie that marks known browsers. */
  readonly browserMark?: string | undefined;
  /** If it closes, the password is not checked. */
  readonly connection?: WaitingClient | undefined;
}

export type SignInResult =
  | {
      readonly ok: true;
      readonly user: PanelUser;
      /** Value of the cookie that makes this browser known. */
      readonly browserMark: string;
    }
  | { readonly ok: false; readonly reason: 'invalid' }
  | { readonly ok: false; readonly reason: 'locked'; readonly retryAfterSeconds: number };

/**
 * Counts an attempt for its subjects. A subject that reaches its threshold is locked for one minute, then two, four and so on up to
 * fifteen. A day without failures resets it. A locked subject is not counted and not returned, so that attempts do not extend a lock.
 */
const countAttempt = {
  name: 'sign-in-attempt',
  text: `
    insert into shared.sign_in_attempt as a (subject_hash, email_hash, failures, last_failure_at)
    select subject.hash, $3, 1, now() from unnest($1::bytea[], $2::int[]) as subject (hash, threshold) order by subject.hash
    on conflict (subject_hash) do update set
      failures = case when a.last_failure_at < (select now() - interval '1 day') then 1 else a.failures + 1 end,
      last_failure_at = excluded.last_failure_at,
      email_hash = excluded.email_hash,
      locked_until = case
        when a.failures + 1 >= (select threshold from unnest($1::bytea[], $2::int[]) as s (hash, threshold) where s.hash = a.subject_hash)
          and a.last_failure_at >= (select now() - interval '1 day')
        then (select now()) + least(interval '15 minutes', interval '1 minute' * power(2, least(greatest(0, a.failures + 1
          - (select threshold from unnest($1::bytea[], $2::int[]) as s (hash, threshold) where s.hash = a.subject_hash)), 10))) end
    where a.locked_until is null or a.locked_until <= (select now())
    returning subject_hash`,
};

/**
 * Takes back a counted attempt that succeeded. Otherwise a person who often signs in from new browsers would be locked. Failures of others
 * and their lock remain.
 */
const takeBackAttempt = `update shared.sign_in_attempt set failures = failures - 1,
  locked_until = case when failures > $2 then locked_until end
  where subject_hash = $1 and failures > 0`;

const admitted = {
  name: 'sign-in-admitted',
  text: `update shared.user_account set last_sign_in_at = (select now()) where id = $1
    returning id, email, name, is_super_user as "isSuperUser", session_version as "sessionVersion"`,
};

interface UserRow extends PanelUser {
  readonly passwordHash: string;
  readonly allowed: boolean;
}

/** Sign-in to the panel of the current tenant. */
@Injectable()
export class SignInService {
  constructor(
    private readonly db: TenantDb,
    private readonly browsers: KnownBrowsers,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Counts an attempt of a network or a known browser in memory. Must be called before anything is read from the database.
   * @returns seconds to wait before the next attempt; 0: call `authenticate`
   */
  countAttempt({ email, client, browserMark }: Pick<SignInAttempt, 'email' | 'client' | 'browserMark'>): number {
    const address = normalized(email);
    return this.limits.waitOf('signIn', { network: client, id: this.browsers.idOf(browserMark, address) && knownCaller(address) });
  }

  /**
   * Checks e-mail, password and the right to this tenant's panel. Every attempt is counted in the database before the password is checked,
   * so that parallel guesses cannot exceed the limit. Unknown addresses are locked in the same way and take the same time.
   * @throws UnavailableError when too many passwords wait, or when the connection was closed
   */
  async authenticate(attempt: SignInAttempt): Promise<SignInResult> {
    const { client, browserMark } = attempt;
    const email = normalized(attempt.email);
    const browser = this.browsers.idOf(browserMark, email);
    const caller: PasswordCaller = browser === undefined ? { kind: 'network', client } : { kind: 'browser', id: knownCaller(email) };
    // The place in the queue comes before the count in the database, because a call that is refused for lack of places is no failure.
    return withPasswordPlace(caller, (inTurn) => this.check({ ...attempt, email }, browser, inTurn));
  }

  /** Whether a signed-in user may use the current tenant's panel. Checked on every request, so that a revoked right has effect at once. */
  async mayEnter(userId: string): Promise<boolean> {
    const [row] = await this.db.sharedStatement<{ allowed: boolean }>(
      { name: 'panel-entry', text: `select ${allowed} as allowed from shared.user_account u where u.id = $1` },
      [userId, currentTenant().id, currentTenant().category],
    );
    return row?.allowed ?? false;
  }

  /**
   * Signs in somebody who has just set a password through a link of the own mailbox.
   * @returns undefined when the user has no right to the current tenant's panel
   */
  async admit(userId: string): Promise<Extract<SignInResult, { ok: true }> | undefined> {
    if (!(await this.mayEnter(userId))) return undefined;
    const [user] = await this.db.sharedStatement<PanelUser & Record<string, unknown>>(admitted, [userId]);
    return user && { ok: true, user, browserMark: this.browsers.mark(user.email) };
  }

  private async check(attempt: SignInAttempt, browser: string | undefined, inTurn: InPasswordTurn): Promise<SignInResult> {
    const { email, password, client, connection } = attempt;
    const subjects = signInSubjects(email, client, browser);
    if (!(await this.count(email, subjects))) return { ok: false, reason: 'locked', retryAfterSeconds: await this.lockedFor(subjects) };
    const user = await this.find(email);
    const fits =
      password.length <= maximumPasswordLength && (await verifyPassword({ stored: user?.passwordHash, password, inTurn, connection }));
    if (!user || !fits || !user.allowed) return { ok: false, reason: 'invalid' };
    await this.db.shared(async (tx) => {
      const [own, all] = subjects;
      await tx.query('delete from shared.sign_in_attempt where subject_hash = $1', [own?.hash]);
      if (all) await tx.query(takeBackAttempt, [all.hash, all.threshold]);
      await tx.query('update shared.user_account set last_sign_in_at = now() where id = $1', [user.id]);
    });
    const { id, name, isSuperUser, sessionVersion } = user;
    const signedIn = { id, email: user.email, name, isSuperUser, sessionVersion };
    return { ok: true, user: signedIn, browserMark: this.browsers.mark(email) };
  }

  /** @returns false when one of the subjects is locked */
  private async count(email: string, subjects: readonly SignInSubject[]): Promise<boolean> {
    const values = [subjects.map(({ hash }) => hash), subjects.map(({ threshold }) => threshold), emailHash(email)];
    return (await this.db.sharedStatement(countAttempt, values)).length === subjects.length;
  }

  private async find(email: string): Promise<UserRow | undefined> {
    const [row] = await this.db.sharedStatement<UserRow & Record<string, unknown>>(
      {
        name: 'sign-in-user',
        text: `select u.id, u.email, u.name, u.is_super_user as "isSuperUser", u.password_hash as "passwordHash",
               u.session_version as "sessionVersion", ${allowed} as allowed from shared.user_account u where u.email = $1`,
      },
      [email, currentTenant().id, currentTenant().category],
    );
    return row;
  }

  private async lockedFor(subjects: readonly SignInSubject[]): Promise<number> {
    const [row] = await this.db.sharedStatement<{ seconds: number | null }>(
      {
        name: 'sign-in-locked',
        text: `select greatest(1, ceil(extract(epoch from max(locked_until) - now())))::int as seconds
               from shared.sign_in_attempt where subject_hash = any($1)`,
      },
      [subjects.map(({ hash }) => hash)],
    );
    return row?.seconds ?? 60;
  }
}

function normalized(email: string): string {
  return email.trim().toLowerCase();
}

/**
 * $2: tenant, $3: its category. Super-users may use every panel, administrators those of their tenants; Root's panel is for super-users
 * only.
 */
const allowed = `(u.is_super_user or ($3::text <> 'R' and exists (
  select 1 from shared.tenant_administrator a where a.user_id = u.id and a.tenant_id = $2::uuid)))`;

/**
 * The caller id of known browsers. All known browsers of one person share a limit, because every sign-in issues a new cookie and one person
 * could collect many.
 * @param email normalised
 */
const knownCaller = (email: string): string => emailHash(email).toString('base64url');
