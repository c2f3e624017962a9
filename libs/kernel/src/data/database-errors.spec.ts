import { describe, expect, it } from '@jest/globals';
import { isDatabaseUnavailable, retryOnDeadlock, violatedConstraint } from './database-errors.js';

const violation = (fields: object): Error => Object.assign(new Error('violation'), { code: '23505' }, fields);

describe('the violated constraint of an error', () => {
  it('is the one that PostgreSQL names, also inside the error of TypeORM', () => {
    const error = violation({ constraint: 'domain_pkey' });
    expect(violatedConstraint(error)).toBe('domain_pkey');
    expect(violatedConstraint(Object.assign(new Error('Query failed'), { driverError: error }))).toBe('domain_pkey');
  });

  it('is read from the message of a distributed database, without the number of the part', () => {
    const unique = 'duplicate key value violates unique constraint "scan_log_attempt_102008"';
    expect(violatedConstraint(violation({ message: unique }))).toBe('scan_log_attempt');
    const foreign =
      'update or delete on table "product_102031" violates foreign key constraint "price_product_id_fkey_102044" on table "price_102044"';
    expect(violatedConstraint(violation({ code: '23503', message: foreign }))).toBe('price_product_id_fkey');
    expect(violatedConstraint(violation({ constraint: 'card_tag_key_1020081' }))).toBe('card_tag_key');
  });

  it('is the code of a violation that has no name', () => {
    const message = 'null value in column "name" of relation "event" violates not-null constraint';
    expect(violatedConstraint(violation({ code: '23502', message }))).toBe('23502');
  });

  it('is undefined for other errors', () => {
    expect(violatedConstraint(Object.assign(new Error('deadlock'), { code: '40P01' }))).toBeUndefined();
    expect(violatedConstraint(new Error('no answer'))).toBeUndefined();
    expect(violatedConstraint(undefined)).toBeUndefined();
  });
});

it('a node of Citus that stopped is an unavailable database, also where Citus says so without a code of its own', () => {
  const error = (message: string): Error => Object.assign(new Error(message), { code: 'XX000', severity: 'ERROR' });
  expect(isDatabaseUnavailable(error('failure on connection marked as essential: db-1:5432'))).toBe(true);
  expect(isDatabaseUnavailable(error('unexpected failure'))).toBe(false);
});

describe('a transaction that PostgreSQL aborts because of a deadlock', () => {
  const deadlock = (): Error =>
    Object.assign(new Error('Query failed'), { driverError: Object.assign(new Error('deadlock detected'), { code: '40P01' }) });

  it('is repeated until it succeeds', async () => {
    let runs = 0;
    const result = await retryOnDeadlock(() => ((runs += 1) < 4 ? Promise.reject(deadlock()) : Promise.resolve('done')));
    expect([result, runs]).toEqual(['done', 4]);
  });

  it('is given up after six attempts, as a temporary failure', async () => {
    let runs = 0;
    const error: unknown = await retryOnDeadlock(() => ((runs += 1), Promise.reject(deadlock()))).catch((reason: unknown) => reason);
    expect(runs).toBe(6);
    expect(isDatabaseUnavailable(error)).toBe(true);
  });

  it('is not repeated after other errors', async () => {
    let runs = 0;
    const work = (): Promise<never> => ((runs += 1), Promise.reject(violation({})));
    await expect(retryOnDeadlock(work)).rejects.toThrow('violation');
    expect(runs).toBe(1);
  });
});
