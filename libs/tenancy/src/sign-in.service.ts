import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { maximumPasswordLength, verifyPassword } from './passwords.js';
import { currentTenant } from './tenant-context.js';
import { TenantDb } from './tenant-db.js';

/** What the panel keeps of a person in the session. */
export interface PanelUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly isSuperUser: boolean;
}

export type SignInResult =
  | { readonly ok: true; readonly user: PanelUser }
  | { readonly ok: false; readonly reason: 'invalid' }
  | { readonly ok: false; readonly reason: 'locked'; readonly retryAfterSeconds: number };

/** From the fifth failure on, a minute, then two, four … up to fifteen. A day without failure forgets them. */
const countAttempt = {
  name: 'sign-in-attempt',
  text: `
    insert into shared.sign_in_attempt as a (subject_hash, failures, last_failure_at) values ($1, 1, now())
    on conflict (subject_hash) do update set
      failures = case when a.last_failure_at < now() - interval '1 day' then 1 else a.failures + 1 end,
      last_failure_at = now(),
      locked_until = case when a.failures + 1 >= 5 and a.last_failure_at >= now() - interval '1 day'
        then now() + least(interval '15 minutes', interval '1 minute' * power(2, least(a.failures - 4, 10))) end
    where a.locked_until is null or a.locked_until <= now()
    returning failures`,
};

/** Under what failures of an address are counted: its hash, so that the table tells nobody who tried. */
export function signInSubject(email: string): Buffer {
  return createHash('sha256').update(email).digest();
}

interface UserRow extends PanelUser {
  readonly passwordHash: string;
  readonly allowed: boolean;
}

/** Sign-in to the panel of the current tenant. */
@Injectable()
export class SignIn {
  constructor(private readonly db: TenantDb) {}

  /**
   * Checks e-mail and password, and that the user may enter this tenant's panel. Every attempt is counted in the database before the
   * password is looked at, so that parallel guesses cannot outrun the lock; unknown addresses lock the same way and take as long.
   */
  async authenticate(email: string, password: string): Promise<SignInResult> {
    const address = email.trim().toLowerCase();
    const subject = signInSubject(address);
    const counted = await this.db.sharedStatement(countAttempt, [subject]);
    if (counted.length === 0) return { ok: false, reason: 'locked', retryAfterSeconds: await this.lockedFor(subject) };
    const user = await this.find(address);
    const fits = password.length <= maximumPasswordLength && (await verifyPassword(user?.passwordHash, password));
    if (!user || !fits || !user.allowed) return { ok: false, reason: 'invalid' };
    await this.db.shared(async (tx) => {
      await tx.query('delete from shared.sign_in_attempt where subject_hash = $1', [subject]);
      await tx.query('update shared.user_account set last_sign_in_at = now() where id = $1', [user.id]);
    });
    return { ok: true, user: { id: user.id, email: user.email, name: user.name, isSuperUser: user.isSuperUser } };
  }

  /** Whether a signed-in user may (still) use the current tenant's panel. Asked on every request: a right taken away works at once. */
  async mayEnter(userId: string): Promise<boolean> {
    const [row] = await this.db.sharedStatement<{ allowed: boolean }>(
      { name: 'panel-entry', text: `select ${allowed} as allowed from shared.user_account u where u.id = $1` },
      [userId, currentTenant().id, currentTenant().category],
    );
    return row?.allowed ?? false;
  }

  private async find(email: string): Promise<UserRow | undefined> {
    const [row] = await this.db.sharedStatement<UserRow>(
      {
        name: 'sign-in-user',
        text: `select u.id, u.email, u.name, u.is_super_user as "isSuperUser", u.password_hash as "passwordHash", ${allowed} as allowed
               from shared.user_account u where u.email = $1`,
      },
      [email, currentTenant().id, currentTenant().category],
    );
    return row;
  }

  private async lockedFor(subject: Buffer): Promise<number> {
    const [row] = await this.db.sharedStatement<{ seconds: number }>(
      {
        name: 'sign-in-locked',
        text: `select greatest(1, ceil(extract(epoch from locked_until - now())))::int as seconds
               from shared.sign_in_attempt where subject_hash = $1`,
      },
      [subject],
    );
    return row?.seconds ?? 60;
  }
}

/** $2 tenant, $3 its category: super-users enter everywhere, administrators their own tenants, and Root's panel only super-users. */
const allowed = `(u.is_super_user or ($3::text <> 'R' and exists (
  select 1 from shared.tenant_administrator a where a.user_id = u.id and a.tenant_id = $2::uuid)))`;
