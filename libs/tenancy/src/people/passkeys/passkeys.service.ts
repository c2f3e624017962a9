import { createHash, randomUUID } from 'node:crypto';
import { generateAuthenticationOptions, generateRegistrationOptions } from '@simplewebauthn/server';
import type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { homeNode } from '../../database/connections/nodes.js';
import { currentTenant, onNode } from '../../database/context/tenant-context.js';
import { ScheduledTasks } from '../../database/scheduled/scheduled-tasks.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import { SignInAttemptsService } from '../attempts/sign-in-attempts.service.js';
import { guessesOwner } from '../attempts/sign-in-limits.js';
import { hasFactorSql, RecoveryCodesService } from '../second-factor/recovery-codes.service.js';
import { UserHistoryService } from '../users/user-history.service.js';
import { challengeMinutes, PasskeyChallenges, type ChallengePurpose } from './passkey-challenges.js';
import { algorithms, checkNew, checkUse, credentialIdIn, type PasskeySite } from './webauthn.js';

/** Most passkeys of a user. */
const mostPasskeys = 20;

/** A passkey as its owner sees it. */
export interface OwnPasskey {
  readonly id: string;
  readonly name: string;
  /** Where it works. */
  readonly host: string;
  readonly createdAt: Date;
  readonly usedAt: Date | null;
}

/** Options for a browser, and the sealed challenge that comes back with its answer. */
export interface PasskeyQuestion<Options> {
  readonly options: Options;
  readonly sealed: string;
}

/** The answer of a browser to a question. */
export interface PasskeyAnswer {
  readonly sealed: string;
  readonly answer: string;
  readonly site: PasskeySite;
}

interface StoredPasskey extends Record<string, unknown> {
  readonly id: string;
  readonly userId: string;
  readonly credentialId: string;
  readonly publicKey: Buffer;
}

/** Passkeys of users (WebAuthn). Each works on the host where it was made. */
@Injectable()
export class PasskeysService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly challenges: PasskeyChallenges,
    private readonly attempts: SignInAttemptsService,
    private readonly codes: RecoveryCodesService,
    private readonly history: UserHistoryService,
    private readonly tasks: ScheduledTasks,
  ) {}

  onModuleInit(): void {
    this.tasks.add('forget uses of removed passkeys', () => this.prune());
  }

  /** The passkeys of a user, on all hosts, the oldest first. */
  async list(userId: string): Promise<OwnPasskey[]> {
    const found = await this.db.sharedStatement<Omit<OwnPasskey, 'usedAt'> & Record<string, unknown>>(listStatement, [userId]);
    if (found.length === 0) return [];
    const ids = found.map(({ id }) => id);
    const uses = await atHome(() => this.db.sharedStatement<{ id: string; usedAt: Date }>(usesStatement, [ids]));
    const used = new Map(uses.map(({ id, usedAt }) => [id, usedAt]));
    return found.map((passkey) => ({ ...passkey, usedAt: used.get(passkey.id) ?? null }));
  }

  /** Whether a user has a passkey that works on a host. */
  async has(userId: string, host: string): Promise<boolean> {
    return (await this.ofHost(userId, host)).length > 0;
  }

  /** @returns false when the user has no such passkey */
  async rename(userId: string, id: string, name: string): Promise<boolean> {
    const [, renamed] = await this.db.shared((tx) =>
      tx.query<[unknown[], number]>('update shared.passkey set name = $3 where user_id = $1 and id = $2', [userId, id, name]),
    );
    return renamed > 0;
  }

  /** @returns false when the user has no such passkey */
  async remove(userId: string, id: string): Promise<boolean> {
    return this.db.shared(async (tx) => {
      const [removed] = await tx.query<[{ name: string; host: string }[], number]>(
        'delete from shared.passkey where user_id = $1 and id = $2 returning name, host',
        [userId, id],
      );
      const [passkey] = removed;
      if (!passkey) return false;
      await this.codes.dropUnneeded(tx, userId);
      await this.history.record(tx, { userId, action: 'passkey_removed', details: { name: passkey.name, host: passkey.host } });
      return true;
    });
  }

  /** What a browser needs to make a passkey. @param bound the session that asks */
  async beginNew(
    user: { readonly id: string; readonly email: string; readonly name: string },
    { host }: PasskeySite,
    bound: string,
  ): Promise<PasskeyQuestion<PublicKeyCredentialCreationOptionsJSON>> {
    const options = await generateRegistrationOptions({
      rpName: currentTenant().name,
      rpID: host,
      userID: Buffer.from(user.id),
      userName: user.email,
      userDisplayName: user.name,
      timeout: challengeMinutes * 60_000,
      excludeCredentials: (await this.ofHost(user.id, host)).map(({ credentialId: id }) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: algorithms,
    });
    return { options, sealed: this.challenges.seal(options.challenge, { act: 'new', host, bound }) };
  }

  /**
   * Adds the passkey that a browser made.
   * @returns the recovery codes when it is the first second factor of the user, else none
   */
  async add(
    userId: string,
    name: string,
    { sealed, answer, site }: PasskeyAnswer,
    bound: string,
  ): Promise<{ ok: boolean; codes: string[] }> {
    const refused = { ok: false, codes: [] };
    const challenge = this.challenges.open(sealed, { act: 'new', host: site.host, bound });
    const made = challenge === undefined ? undefined : await checkNew({ answer, challenge, site });
    if (!made || !(await this.useOnce(userId, challenge!))) return refused;
    const id = randomUUID();
    const added = await this.db.shared(async (tx) => {
      // One at a time, so that simultaneous ones cannot exceed the limit together.
      await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`passkeys ${userId}`]);
      const [before] = await tx.query<{ count: number; hasFactor: boolean }[]>(
        `select count(*)::int as count, ${hasFactorSql('$1')} as "hasFactor" from shared.passkey where user_id = $1`,
        [userId],
      );
      if (!before || before.count >= mostPasskeys) return refused;
      const values = [id, userId, site.host, made.id, Buffer.from(made.publicKey), made.transports, name];
      const rows = await tx.query<unknown[]>(
        `insert into shared.passkey (id, user_id, host, credential_id, public_key, transports, name)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict (credential_id) do nothing returning id`,
        values,
      );
      if (rows.length === 0) return refused;
      await this.history.record(tx, { userId, action: 'passkey_added', details: { name, host: site.host } });
      return { ok: true, codes: before.hasFactor ? [] : await this.codes.replace(tx, userId) };
    });
    if (added.ok && made.counter > 0) await this.count(id, made.counter);
    return added;
  }

  /**
   * What a browser needs to use a passkey.
   * @param userId whose passkeys; undefined: whoever has one in this browser, so that nothing tells whose there are
   */
  async beginUse(purpose: ChallengePurpose, userId?: string): Promise<PasskeyQuestion<PublicKeyCredentialRequestOptionsJSON>> {
    const own = userId === undefined ? undefined : await this.ofHost(userId, purpose.host);
    const options = await generateAuthenticationOptions({
      rpID: purpose.host,
      timeout: challengeMinutes * 60_000,
      userVerification: 'required',
      ...(own && { allowCredentials: own.map(({ credentialId: id, transports }) => ({ id, transports: transports as string[] })) }),
    });
    return { options, sealed: this.challenges.seal(options.challenge, purpose) };
  }

  /**
   * Checks the answer of a browser that used a passkey. Each challenge works once, and the counter must rise: the database decides both.
   * @returns whose passkey it is; undefined when it is refused
   */
  async use(
    { sealed, answer, site }: PasskeyAnswer,
    { act, bound }: Omit<ChallengePurpose, 'host'>,
    userId?: string,
  ): Promise<string | undefined> {
    const challenge = this.challenges.open(sealed, { act, host: site.host, ...(bound !== undefined && { bound }) });
    const credentialId = credentialIdIn(answer);
    if (challenge === undefined || credentialId === undefined) return undefined;
    const [stored] = await this.db.sharedStatement<StoredPasskey>(findStatement, [credentialId, site.host]);
    if (!stored || (userId !== undefined && stored.userId !== userId)) return undefined;
    const [last] = await atHome(() => this.db.sharedStatement<{ counter: string }>(counterStatement, [stored.id]));
    const credential = { id: stored.credentialId, publicKey: new Uint8Array(stored.publicKey), counter: Number(last?.counter ?? 0) };
    const counter = await checkUse({ answer, challenge, site, credential, userId: stored.userId });
    if (counter === undefined || !(await this.useOnce(stored.userId, challenge))) return undefined;
    return (await this.count(stored.id, counter)) ? stored.userId : undefined;
  }

  private async ofHost(userId: string, host: string): Promise<StoredPasskey[]> {
    return this.db.sharedStatement<StoredPasskey>(hostStatement, [userId, host]);
  }

  private useOnce(userId: string, challenge: string): Promise<boolean> {
    return this.attempts.useOnce(guessesOwner(userId), createHash('sha256').update(`passkey challenge:${challenge}`).digest());
  }

  /** @returns false when the counter did not rise, as with a copied key. Passkeys that do not count say 0 */
  private async count(id: string, counter: number): Promise<boolean> {
    return (await atHome(() => this.db.sharedStatement(countStatement, [id, counter]))).length > 0;
  }

  private async prune(): Promise<void> {
    if (currentTenant().category !== 'R') return;
    const left = await atHome(() => this.db.sharedStatement<{ id: string }>(leftStatement, []));
    if (left.length > 0) await atHome(() => this.db.sharedStatement(pruneStatement, [left.map(({ id }) => id)]));
  }
}

const atHome = <Result>(work: () => Result): Result => onNode(homeNode, work);

const listStatement = {
  name: 'own-passkeys',
  text: 'select id, name, host, created_at as "createdAt" from shared.passkey where user_id = $1 order by created_at, id',
};

const usesStatement = {
  name: 'passkey-uses',
  text: 'select passkey_id as id, used_at as "usedAt" from shared.passkey_use where passkey_id = any($1)',
};

const hostStatement = {
  name: 'passkeys-of-host',
  text: 'select credential_id as "credentialId", transports from shared.passkey where user_id = $1 and host = $2',
};

const findStatement = {
  name: 'passkey-by-credential',
  text: `select id, user_id as "userId", credential_id as "credentialId", public_key as "publicKey" from shared.passkey
    where credential_id = $1 and host = $2`,
};

const counterStatement = { name: 'passkey-counter', text: 'select counter from shared.passkey_use where passkey_id = $1' };

const countStatement = {
  name: 'passkey-count',
  text: `insert into shared.passkey_use as u (passkey_id, counter) values ($1, $2)
    on conflict (passkey_id) do update set counter = excluded.counter, used_at = (select now())
    where u.counter < excluded.counter or excluded.counter = 0 and u.counter = 0 returning passkey_id`,
};

const leftStatement = {
  name: 'passkey-uses-left',
  text: `select u.passkey_id as id from shared.passkey_use u left join shared.passkey k on k.id = u.passkey_id
    where k.id is null limit 1000`,
};

const pruneStatement = { name: 'passkey-use-prune', text: 'delete from shared.passkey_use where passkey_id = any($1)' };
