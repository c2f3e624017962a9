import { databaseNow, retryOnDeadlock, SecretBox, SETTINGS, type Settings } from '#kernel';
import { Inject, Injectable } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { endSessionsOf } from '../sessions/sessions.service.js';
import { SignInAttemptsService, type GuessResult, type WrongGuess } from '../attempts/sign-in-attempts.service.js';
import { guessesOwner, ownGuesses, usedCode } from '../attempts/sign-in-limits.js';
import { UserHistoryService } from '../users/user-history.service.js';
import { hasFactorSql, RecoveryCodesService } from './recovery-codes.service.js';

/** Seconds for which a code is shown; the one before and the one after it are accepted, too. */
const stepSeconds = 30;

/** The second factor of a user. */
export interface FactorState {
  /** Codes of an app are on. */
  readonly isOn: boolean;
  /** Recovery codes that were not used. */
  readonly codesLeft: number;
}

/** The key for an app, which makes the codes. */
export interface FactorKey {
  /** In base 32, for typing. */
  readonly key: string;
  /** For a QR code. */
  readonly address: string;
}

/** Second factors of users: codes of an app (TOTP) and recovery codes. */
@Injectable()
export class SecondFactorService {
  constructor(
    private readonly db: TenantDb,
    private readonly box: SecretBox,
    private readonly codes: RecoveryCodesService,
    private readonly attempts: SignInAttemptsService,
    private readonly history: UserHistoryService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'baseDomain'>,
  ) {}

  async state(userId: string): Promise<FactorState> {
    const [row] = await this.db.sharedStatement<FactorState & Record<string, unknown>>(stateStatement, [userId]);
    return row ?? { isOn: false, codesLeft: 0 };
  }

  /**
   * Makes a key for the app of a user, in place of one whose first code was not entered. So somebody who saw an earlier key cannot use it.
   * @returns undefined when the second factor is on
   */
  async begin(userId: string): Promise<FactorKey | undefined> {
    const sealed = this.box.seal(new Secret({ size: 20 }).bytes, purposeOf(userId));
    await this.db.shared((tx) =>
      tx.query(
        `insert into shared.second_factor as f (user_id, sealed_key) values ($1, $2)
         on conflict (user_id) do update set sealed_key = excluded.sealed_key where f.confirmed_at is null`,
        [userId, sealed],
      ),
    );
    return this.begun(userId);
  }

  /** The key that `begin` made. @returns undefined when there is none, or the second factor is on */
  async begun(userId: string): Promise<FactorKey | undefined> {
    const [row] = await this.db.sharedStatement<{ sealed: Buffer; email: string }>(begunStatement, [userId]);
    if (!row) return undefined;
    const totp = this.totpOf(userId, row.sealed, row.email);
    return { key: totp.secret.base32, address: totp.toString() };
  }

  /**
   * Switches the second factor on with the first code of the app. One conditional update decides, so that of concurrent calls exactly one
   * succeeds.
   * @returns the recovery codes, which cannot be read again; none when the user has a passkey, because the earlier ones stay
   */
  async confirm(userId: string, code: string): Promise<{ ok: true; codes: string[] } | WrongGuess> {
    const { wait, step } = await this.guess(userId, code);
    if (step === undefined) return { ok: false, retryAfterSeconds: wait };
    const codes = await this.db.shared(async (tx) => {
      const [before] = await tx.query<{ has: boolean }[]>(`select ${hasFactorSql('$1')} as has`, [userId]);
      const [, changed] = await tx.query<[unknown[], number]>(
        `update shared.second_factor set confirmed_at = (select now()), last_step = $2 where user_id = $1 and confirmed_at is null`,
        [userId, step],
      );
      if (changed === 0) return undefined;
      await this.history.record(tx, { userId, action: 'second_factor_on' });
      return before?.has === true ? [] : this.codes.replace(tx, userId);
    });
    if (!codes) return { ok: false, retryAfterSeconds: 0 };
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
    const used = step === undefined ? await this.codes.use(userId, code) : await this.useStep(userId, step);
    if (!used) return { ok: false, retryAfterSeconds: 0 };
    await this.attempts.succeed(ownGuesses('code', userId));
    return { ok: true };
  }

  /** Replaces the recovery codes. @returns undefined when the user has no second factor */
  newCodes(userId: string): Promise<string[] | undefined> {
    return retryOnDeadlock(() =>
      this.db.shared(async (tx) => {
        const [row] = await tx.query<{ has: boolean }[]>(`select ${hasFactorSql('$1')} as has`, [userId]);
        if (row?.has !== true) return undefined;
        await this.history.record(tx, { userId, action: 'recovery_codes_made' });
        return this.codes.replace(tx, userId);
      }),
    );
  }

  /** Switches it off for a user who has proved to be the person. */
  switchOff(userId: string): Promise<boolean> {
    return this.db.shared(async (tx) => {
      if (!(await this.remove(tx, userId))) return false;
      await this.codes.dropUnneeded(tx, userId);
      await this.history.record(tx, { userId, action: 'second_factor_off' });
      return true;
    });
  }

  /** Removes codes and passkeys of a user who lost them, and ends all sessions. @returns false when there were none */
  reset(userId: string): Promise<boolean> {
    return retryOnDeadlock(() => this.db.shared((tx) => this.resetIn(tx, userId, 'second_factor_reset')));
  }

  /** `reset` in the caller's transaction. @param action and details of the record of users */
  async resetIn(tx: Tx, userId: string, action: string, details: Readonly<Record<string, unknown>> = {}): Promise<boolean> {
    const hadCodes = await this.remove(tx, userId);
    const [, passkeys] = await tx.query<[unknown[], number]>('delete from shared.passkey where user_id = $1', [userId]);
    if (!hadCodes && passkeys === 0) return false;
    await this.codes.dropUnneeded(tx, userId);
    await this.history.record(tx, { userId, action, details });
    await endSessionsOf(this.db, tx, userId);
    return true;
  }

  private async remove(tx: Tx, userId: string): Promise<boolean> {
    const [, removed] = await tx.query<[unknown[], number]>(
      'delete from shared.second_factor where user_id = $1 and confirmed_at is not null',
      [userId],
    );
    return removed > 0;
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
}

const purposeOf = (userId: string): string => `second factor:${userId}`;

const begunStatement = {
  name: 'second-factor-begun',
  text: `select f.sealed_key as sealed, u.email from shared.second_factor f join shared.user_account u on u.id = f.user_id
    where f.user_id = $1 and f.confirmed_at is null`,
};

const lastStepStatement = {
  name: 'second-factor-last',
  text: 'select last_step as last from shared.second_factor where user_id = $1 and confirmed_at is not null',
};

const stateStatement = {
  name: 'second-factor-state',
  text: `select exists (select 1 from shared.second_factor where user_id = $1 and confirmed_at is not null) as "isOn",
    (select count(*)::int from shared.recovery_code where user_id = $1) as "codesLeft"`,
};
