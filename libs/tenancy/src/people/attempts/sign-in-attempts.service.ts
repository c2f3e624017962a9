import { Injectable } from '@nestjs/common';
import { homeNode } from '../../database/connections/nodes.js';
import { onNode } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import type { SignInSubject } from './sign-in-limits.js';

/**
 * Counts an attempt for its subjects. A subject that reaches its threshold is locked for one minute, then two, four and so on up to
 * fifteen. So many minutes without failures reset it. A locked subject is not counted and not returned, so that attempts do not extend a
 * lock.
 */
const countStatement = {
  name: 'sign-in-attempt',
  text: `
    insert into shared.sign_in_attempt as a (subject_hash, email_hash, failures, last_failure_at)
    select subject.hash, $3, 1, now() from unnest($1::bytea[], $2::int[]) as subject (hash, threshold) order by subject.hash
    on conflict (subject_hash) do update set
      failures = case when a.last_failure_at < (select now() - make_interval(mins => $4::int)) then 1 else a.failures + 1 end,
      last_failure_at = excluded.last_failure_at,
      email_hash = excluded.email_hash,
      locked_until = case
        when a.failures + 1 >= (select threshold from unnest($1::bytea[], $2::int[]) as s (hash, threshold) where s.hash = a.subject_hash)
          and a.last_failure_at >= (select now() - make_interval(mins => $4::int))
        then (select now()) + least(interval '15 minutes', interval '1 minute' * power(2, least(greatest(0, a.failures + 1
          - (select threshold from unnest($1::bytea[], $2::int[]) as s (hash, threshold) where s.hash = a.subject_hash)), 10))) end
    where a.locked_until is null or a.locked_until <= (select now())
    returning subject_hash`,
};

/** Failures of passwords are kept for a day; then the rows are deleted. */
const minutesOfDay = 24 * 60;

const lockedStatement = {
  name: 'sign-in-locked',
  text: `select ceil(extract(epoch from locked_until - now()))::int as seconds
    from shared.sign_in_attempt where subject_hash = any($1) and locked_until > now() order by locked_until desc limit 1`,
};

const onceStatement = {
  name: 'sign-in-once',
  text: `insert into shared.sign_in_attempt (subject_hash, email_hash, failures, last_failure_at) values ($1, $2, 0, now())
    on conflict (subject_hash) do nothing returning subject_hash`,
};

const atHome = <Result>(work: () => Result): Result => onNode(homeNode, work);

/**
 * Takes back a counted attempt that succeeded. Otherwise a person who often signs in from new browsers would be locked. Failures of others
 * and their lock remain.
 */
const takeBackAttempt = `update shared.sign_in_attempt set failures = failures - 1,
  locked_until = case when failures > $2 then locked_until end
  where subject_hash = $1 and failures > 0`;

/** The answer to a password or code that was typed. */
export type GuessResult = { readonly ok: true } | WrongGuess;

export interface WrongGuess {
  readonly ok: false;
  /** Seconds until the next attempt; 0: it is wrong, and the next one may follow. */
  readonly retryAfterSeconds: number;
}

/**
 * Counts guesses of passwords and codes in the database, and locks their subjects. All are counted at home, so that nobody may guess once
 * more on each node.
 */
@Injectable()
export class SignInAttemptsService {
  constructor(private readonly db: TenantDb) {}

  /**
   * Counts an attempt before it is checked, so that parallel guesses cannot exceed the limit.
   * @param owner finds all counters of a person, see `emailHash`
   * @param memory minutes without failures after which they are forgotten; a day at most
   * @returns seconds to wait when one of the subjects is locked; 0: check the attempt
   */
  async count(owner: Buffer, subjects: readonly SignInSubject[], memory = minutesOfDay): Promise<number> {
    const values = [subjects.map(({ hash }) => hash), subjects.map(({ threshold }) => threshold), owner, memory];
    const counted = await atHome(() => this.db.sharedStatement(countStatement, values));
    return counted.length === subjects.length ? 0 : Math.max(1, await this.lockedFor(subjects));
  }

  /** Counts nothing. @returns seconds to wait when one of the subjects is locked; 0: none */
  async lockedFor(subjects: readonly SignInSubject[]): Promise<number> {
    const hashes = subjects.map(({ hash }) => hash);
    const [row] = await atHome(() => this.db.sharedStatement<{ seconds: number }>(lockedStatement, [hashes]));
    return row?.seconds ?? 0;
  }

  /** Forgets the failures of the first subject, which succeeded, and takes its attempt back from the others. */
  async succeed([own, ...others]: readonly SignInSubject[]): Promise<void> {
    const forget = async (tx: Tx): Promise<void> => {
      await tx.query('delete from shared.sign_in_attempt where subject_hash = $1', [own?.hash]);
    };
    await atHome(() => this.db.shared(forget));
    await this.takeBack(others);
  }

  /** Uses something that works once within a day. @returns false when it was used. Of concurrent calls one returns true */
  async useOnce(owner: Buffer, hash: Buffer): Promise<boolean> {
    const used = await atHome(() => this.db.sharedStatement(onceStatement, [hash, owner]));
    return used.length > 0;
  }

  /** Takes a counted attempt back, and keeps the failures before it. */
  private async takeBack(subjects: readonly SignInSubject[]): Promise<void> {
    if (subjects.length === 0) return;
    const back = async (tx: Tx): Promise<void> => {
      for (const { hash, threshold } of subjects) await tx.query(takeBackAttempt, [hash, threshold]);
    };
    await atHome(() => this.db.shared(back));
  }
}
