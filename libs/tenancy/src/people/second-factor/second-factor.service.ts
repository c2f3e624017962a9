import { randomInt } from 'node:crypto';
import { databaseNow, SecretBox, SETTINGS, SignedLinks, type Settings } from '#kernel';
import { Inject, Injectable } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { endSessionsOf } from '../sessions/sessions.service.js';
import { SignInAttemptsService, type GuessResult, type WrongGuess } from '../attempts/sign-in-attempts.service.js';
import { guessesOwner, ownGuesses, usedCode } from '../attempts/sign-in-limits.js';
import { UserHistoryService } from '../users/user-history.service.js';

/** Seconds for which a code is shown; the one before and the one after it are accepted, too. */
const stepSeconds = 30;
const recoveryCodes = 10;

/** The second factor of a user. */
export interface FactorState {
  readonly isOn: boolean;
  /** Recovery codes that were not used. */
  readonly codesLeft: number;
}

/** Second factors of users: codes of an app (TOTP) and recovery codes. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly db: TenantDb,
    private readonly box: SecretBox,
    private readonly links: SignedLinks,
    private readonly attempts: SignInAttemptsService,
    private readonly history: UserHistoryService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'baseDomain'>,
  ) {}

  async state(userId: string): Promise<FactorState> {
    const [row] = await this.db.sharedStatement<FactorState & Record<string, unknown>>(stateStatement, [userId]);
    return row ?? { isOn: false, codesLeft: 0 };
  }

  /**
   * The key for the app of a user, until the first code is entered. A repeated call returns the same key.
   * @returns undefined when the second factor is on
   */
  async begin(userId: string): Promise<{ key: string; address: string } | undefined> {
    const sealed = this.box.seal(new Secret({ size: 20 }).bytes, purposeOf(userId));
    const [row] = await this.db.shared(async (tx) => {
      await tx.query('insert into shared.second_factor (user_id, sealed_key) values ($1, $2) on conflict (user_id) do nothing', [
        userId,
        sealed,
      ]);
      return tx.query<{ sealed: Buffer; isOn: boolean; email: string }[]>(
        `select f.sealed_key as sealed, f.confirmed_at is not null as "isOn", u.email
         from shared.second_factor f join shared.user_account u on u.id = f.user_id where f.user_id = $1`,
        [userId],
      );
    });
    if (!row || row.isOn) return undefined;
    const totp = this.totpOf(userId, row.sealed, row.email);
    return { key: totp.secret.base32, address: totp.toString() };
  }

  /**
   * Switches the second factor on with the first code of the app. One conditional update decides, so that of concurrent calls exactly one
   * succeeds.
   * @returns the recovery codes, which cannot be read again
   */
  async confirm(userId: string, code: string): Promise<{ ok: true; codes: string[] } | WrongGuess> {
    const { wait, step } = await this.guess(userId, code);
    if (step === undefined) return { ok: false, retryAfterSeconds: wait };
    const codes = Array.from({ length: recoveryCodes }, inventCode);
    const isOn = await this.db.shared(async (tx) => {
      const [, changed] = await tx.query<[unknown[], number]>(
        `update shared.second_factor set confirmed_at = (select now()), last_step = $2 where user_id = $1 and confirmed_at is null`,
        [userId, step],
      );
      if (changed === 0) return false;
      await tx.query('delete from shared.recovery_code where user_id = $1', [userId]);
      const hashes = codes.map((one) => this.hashOf(userId, one));
      await tx.query('insert into shared.recovery_code (user_id, code_hash) select $1, unnest($2::text[])', [userId, hashes]);
      await this.history.record(tx, { userId, action: 'second_factor_on' });
      return true;
    });
    if (!isOn) return { ok: false, retryAfterSeconds: 0 };
    await this.attempts.succeed(ownGuesses('code', userId));
    return { ok: true, codes };
  }

  /**
   * Uses a code of the app, or a recovery code. Each works once: conditional statements decide. Every attempt is counted in the database
   * before the code is checked.
   */
  async check(userId: string, code: string): Promise<GuessResult> {
    const { wait, step } = await this.guess(userId, code);
    if (wait > 0) return { ok: false, retryAfterSeconds: wait };
    const used = step === undefined ? await this.useRecoveryCode(userId, code) : await this.useStep(userId, step);
    if (!used) return { ok: false, retryAfterSeconds: 0 };
    await this.attempts.succeed(ownGuesses('code', userId));
    return { ok: true };
  }

  /** Switches it off for a user who has proved to be the person. */
  switchOff(userId: string): Promise<boolean> {
    return this.db.shared((tx) => this.remove(tx, userId, 'second_factor_off'));
  }

  /** Switches it off for a user who lost it, and ends all sessions. @returns false when it was not on */
  reset(userId: string): Promise<boolean> {
    return this.db.shared(async (tx) => {
      if (!(await this.remove(tx, userId, 'second_factor_reset'))) return false;
      await endSessionsOf(tx, userId);
      return true;
    });
  }

  private async remove(tx: Tx, userId: string, action: string): Promise<boolean> {
    const [, removed] = await tx.query<[unknown[], number]>(
      'delete from shared.second_factor where user_id = $1 and confirmed_at is not null',
      [userId],
    );
    if (removed === 0) return false;
    await tx.query('delete from shared.recovery_code where user_id = $1', [userId]);
    await this.history.record(tx, { userId, action });
    return true;
  }

  /** Counts an attempt. @returns the seconds to wait, and the time step of the code; undefined when it is no code of the app */
  private async guess(userId: string, code: string): Promise<{ wait: number; step: number | undefined }> {
    const wait = await this.attempts.count(guessesOwner(userId), ownGuesses('code', userId));
    if (wait > 0) return { wait, step: undefined };
    const token = code.replaceAll(/\s/g, '');
    if (!/^\d{6}$/.test(token)) return { wait, step: undefined };
    const [row] = await this.db.sharedStatement<{ sealed: Buffer }>(
      { name: 'second-factor-key', text: 'select sealed_key as sealed from shared.second_factor where user_id = $1' },
      [userId],
    );
    if (!row) return { wait, step: undefined };
    const timestamp = databaseNow().getTime();
    const delta = this.totpOf(userId, row.sealed, '').validate({ token, timestamp, window: 1 });
    return { wait, step: delta === null ? undefined : Math.floor(timestamp / 1000 / stepSeconds) + delta };
  }

  private async useRecoveryCode(userId: string, code: string): Promise<boolean> {
    const [, used] = await this.db.shared((tx) =>
      tx.query<[unknown[], number]>(
        `delete from shared.recovery_code where user_id = $1 and code_hash = $2
           and exists (select 1 from shared.second_factor where user_id = $1 and confirmed_at is not null)`,
        [userId, this.hashOf(userId, code)],
      ),
    );
    return used === 1;
  }

  /** Changes no row that all nodes have, so that people sign in while a node does not answer. */
  private async useStep(userId: string, step: number): Promise<boolean> {
    const [row] = await this.db.sharedStatement<{ last: string }>(lastStepStatement, [userId]);
    return row !== undefined && Number(row.last) < step && this.attempts.useOnce(guessesOwner(userId), usedCode(userId, step));
  }

  private totpOf(userId: string, sealed: Buffer, label: string): TOTP {
    const bytes = this.box.open(sealed, purposeOf(userId));
    const secret = new Secret({ buffer: new Uint8Array(bytes).buffer });
    return new TOTP({ issuer: this.settings.baseDomain, label, secret, period: stepSeconds });
  }

  private hashOf(userId: string, code: string): string {
    return this.links.markOf(`recovery code:${userId}:${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);
  }
}

const purposeOf = (userId: string): string => `second factor:${userId}`;

const lastStepStatement = {
  name: 'second-factor-last',
  text: 'select last_step as last from shared.second_factor where user_id = $1 and confirmed_at is not null',
};

/** A code of 59 random bits: three groups of four characters, without characters that are easily confused. */
function inventCode(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = (): string => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return [group(), group(), group()].join('-');
}

const stateStatement = {
  name: 'second-factor-state',
  text: `select exists (select 1 from shared.second_factor where user_id = $1 and confirmed_at is not null) as "isOn",
    (select count(*)::int from shared.recovery_code where user_id = $1) as "codesLeft"`,
};
