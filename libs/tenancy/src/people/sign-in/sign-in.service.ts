import { Injectable } from '@nestjs/common';
import { isDatabaseUnavailable, RateLimits, type Language, type WaitingClient } from '#kernel';
import { currentTenant } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import { KnownBrowsers } from './known-browsers.js';
import type { InPasswordTurn, PasswordCaller } from '../../passwords/password-queue.js';
import { maximumPasswordLength, verifyPassword, withPasswordPlace } from '../../passwords/passwords.js';
import { PasskeysService, type PasskeyAnswer, type PasskeyQuestion } from '../passkeys/passkeys.service.js';
import type { PasskeySite } from '../passkeys/webauthn.js';
import { FactorRulesService, mustSetUpSql } from '../grants/factor-rules.service.js';
import { hasFactorSql } from '../second-factor/recovery-codes.service.js';
import { SecondFactorService } from '../second-factor/second-factor.service.js';
import { SignInAttemptsService } from '../attempts/sign-in-attempts.service.js';
import { UserHistoryService } from '../users/user-history.service.js';
import { emailHash, signInSubjects } from '../attempts/sign-in-limits.js';
import { entryColumnsSql, grantJoinsSql, grantOf, mayEnterSql } from '../roles/grant-rows.js';
import type { Grant } from '../roles/grant.js';

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

/** What is known about a person between password and code. */
export interface FirstStep {
  readonly userId: string;
  /** The code is accepted while the user's session version has this value. */
  readonly sessionVersion: number;
}

export type SignInResult =
  | {
      readonly ok: true;
      readonly user: PanelUser;
      /** Value of the cookie that makes this browser known. */
      readonly browserMark: string;
    }
  | { readonly ok: false; readonly reason: 'invalid' }
  | {
      /** The password is right, and a code is due. Nobody is signed in yet. */
      readonly ok: false;
      readonly reason: 'code';
      readonly step: FirstStep;
    }
  /** The first step is no longer valid. */
  | { readonly ok: false; readonly reason: 'over' }
  | { readonly ok: false; readonly reason: 'locked'; readonly retryAfterSeconds: number };

/** What is read about a signed-in person at each request, because it may change during a session. */
export interface PanelPerson {
  readonly name: string;
  /** The chosen language; null: the one of the browser. */
  readonly language: Language | null;
  /** What the person may do. */
  readonly grant: Grant;
  /** The person must set up a second factor before anything else. */
  readonly mustSetUp: boolean;
}

type EntryRow = Pick<PanelPerson, 'name' | 'language' | 'mustSetUp'> & Parameters<typeof grantOf>[0];

interface UserRow extends PanelUser {
  readonly passwordHash: string;
  readonly allowed: boolean;
  readonly hasFactor: boolean;
  readonly signedInBefore: boolean;
}

/** Sign-in to the panel of the current tenant. */
@Injectable()
export class SignInService {
  private readonly listeners: ((userId: string) => Promise<void>)[] = [];

  constructor(
    private readonly db: TenantDb,
    private readonly browsers: KnownBrowsers,
    private readonly limits: RateLimits,
    private readonly attempts: SignInAttemptsService,
    private readonly factor: SecondFactorService,
    private readonly passkeys: PasskeysService,
    private readonly history: UserHistoryService,
    private readonly rules: FactorRulesService,
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

  /**
   * A signed-in user who may use the current tenant's panel. Read at every request, so that a revoked right has effect at once.
   * @returns undefined when the user may not
   */
  async entry(userId: string): Promise<PanelPerson | undefined> {
    const { id, category } = currentTenant();
    const [row] = await this.db.sharedStatement<EntryRow & Record<string, unknown>>(entryStatement, [
      userId,
      id,
      category,
      this.rules.isForOperators,
    ]);
    const grant = row && grantOf(row);
    return grant && { name: row.name, language: row.language, grant, mustSetUp: row.mustSetUp };
  }

  /** Signs in a user who proved to be the person in another way than with the password, such as with a mailed link. */
  async admitUser(userId: string): Promise<SignInResult> {
    const user = await this.find('id', userId);
    return user?.allowed ? this.admit(user, true) : { ok: false, reason: 'invalid' };
  }

  private async check(attempt: SignInAttempt, browser: string | undefined, inTurn: InPasswordTurn): Promise<SignInResult> {
    const { email, password, client, connection } = attempt;
    const subjects = signInSubjects(email, client, browser);
    const retryAfterSeconds = await this.attempts.count(emailHash(email), subjects);
    if (retryAfterSeconds > 0) return { ok: false, reason: 'locked', retryAfterSeconds };
    const user = await this.find('email', email);
    const fits =
      password.length <= maximumPasswordLength && (await verifyPassword({ stored: user?.passwordHash, password, inTurn, connection }));
    if (!user || !fits || !user.allowed) return { ok: false, reason: 'invalid' };
    await this.attempts.succeed(subjects);
    return this.admit(user, browser !== undefined);
  }

  /**
   * Signs in a user who has typed the password, with a code of the second factor. Wrong codes are counted in the database.
   * @param step what `authenticate` returned
   */
  async completeWithCode({ userId, sessionVersion }: FirstStep, code: string, browserMark: string | undefined): Promise<SignInResult> {
    const user = await this.find('id', userId);
    if (!user?.allowed || !user.hasFactor || user.sessionVersion !== sessionVersion) return { ok: false, reason: 'over' };
    const check = await this.factor.check(userId, code);
    if (check.ok) return this.begin(user, this.browsers.idOf(browserMark, user.email) !== undefined);
    const { retryAfterSeconds } = check;
    return retryAfterSeconds > 0 ? { ok: false, reason: 'locked', retryAfterSeconds } : { ok: false, reason: 'invalid' };
  }

  /** What a browser needs to sign in with a passkey, after the password or instead of it; without one it is the same for everybody. */
  askPasskey({ host }: PasskeySite, step?: FirstStep): Promise<PasskeyQuestion<object>> {
    return this.passkeys.beginUse({ host, ...passkeyPurpose(step) }, step?.userId);
  }

  /** Signs in with a passkey, after the password (`step`) or instead of it. */
  async completeWithPasskey(answer: PasskeyAnswer, browserMark: string | undefined, step?: FirstStep): Promise<SignInResult> {
    const userId = await this.passkeys.use(answer, passkeyPurpose(step), step?.userId);
    const user = userId === undefined ? undefined : await this.find('id', userId);
    if (!user?.allowed || (step && user.sessionVersion !== step.sessionVersion)) return { ok: false, reason: 'invalid' };
    return this.begin(user, this.browsers.idOf(browserMark, user.email) !== undefined);
  }

  private async admit(user: UserRow, isKnownBrowser: boolean): Promise<SignInResult> {
    const { id: userId, sessionVersion } = user;
    return user.hasFactor ? { ok: false, reason: 'code', step: { userId, sessionVersion } } : this.begin(user, isKnownBrowser);
  }

  private async begin(user: UserRow, isKnownBrowser: boolean): Promise<SignInResult> {
    const { id, email, name, isSuperUser, sessionVersion, signedInBefore } = user;
    const isNewBrowser = signedInBefore && !isKnownBrowser;
    await this.tryToNote(id, signedInBefore);
    if (isNewBrowser)
      await this.db.shared((tx) =>
        this.history.record(tx, { userId: id, action: 'new_browser', details: { tenant: currentTenant().slug } }),
      );
    return { ok: true, user: { id, email, name, isSuperUser, sessionVersion }, browserMark: this.browsers.mark(email) };
  }

  /** Registers who notes first sign-ins later that could not be noted at once. */
  onUnnoted(listener: (userId: string) => Promise<void>): void {
    this.listeners.push(listener);
  }

  /** Stores when a person signed in last. All nodes have the row. @throws when one of them does not answer */
  async note(userId: string): Promise<void> {
    await this.db.shared((tx) => tx.query('update shared.user_account set last_sign_in_at = now() where id = $1', [userId]));
  }

  /** People sign in although a node does not answer. Only the first time must be known: first passwords depend on it. */
  private async tryToNote(userId: string, signedInBefore: boolean): Promise<void> {
    try {
      // The change would wait for a connection to the silent node.
      if (this.db.silentNodes.length === 0) return await this.note(userId);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
    }
    if (!signedInBefore) for (const listener of this.listeners) await listener(userId);
  }

  private async find(by: 'email' | 'id', value: string): Promise<UserRow | undefined> {
    const [row] = await this.db.sharedStatement<UserRow & Record<string, unknown>>(
      {
        name: `sign-in-user-by-${by}`,
        text: `select u.id, u.email, u.name, u.is_super_user as "isSuperUser", u.password_hash as "passwordHash",
               u.session_version as "sessionVersion", ${mayEnterSql('$2', '$3')} as allowed,
               ${hasFactorSql('u.id')} as "hasFactor",
               u.last_sign_in_at is not null as "signedInBefore"
               from shared.user_account u where u.${by} = $1`,
      },
      [value, currentTenant().id, currentTenant().category],
    );
    return row;
  }
}

const passkeyPurpose = (step: FirstStep | undefined): { act: 'second' | 'sign-in'; bound?: string } =>
  step ? { act: 'second', bound: `${step.userId}:${step.sessionVersion}` } : { act: 'sign-in' };

function normalized(email: string): string {
  return email.trim().toLowerCase();
}

const entryStatement = {
  name: 'panel-entry',
  text: `select u.name, u.language, ${entryColumnsSql('$2', '$3')},
    ${mustSetUpSql('$2', '$4')} as "mustSetUp" from shared.user_account u ${grantJoinsSql('$2')} where u.id = $1`,
};

/**
 * The caller id of known browsers. All known browsers of one person share a limit, because every sign-in issues a new cookie and one person
 * could collect many.
 * @param email normalised
 */
const knownCaller = (email: string): string => emailHash(email).toString('base64url');
