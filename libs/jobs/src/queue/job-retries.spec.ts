import { describe, expect, it } from '@jest/globals';
import { attemptsInAll, failureName, failurePlace, jobRetryDelay } from './job-retries.js';

describe('the retries of a job', () => {
  it('happen after 10 s, 1 min, 5 min, 30 min, 2 h, 6 h and 24 h, and then stop', () => {
    const delays = Array.from({ length: attemptsInAll }, (_, index) => jobRetryDelay(index + 1, () => 0.5));
    expect(delays).toEqual([10, 60, 300, 1800, 7200, 21_600, 86_400, undefined]);
  });

  it('have a jitter of ten percent in both directions', () => {
    expect(jobRetryDelay(2, () => 0)).toBeCloseTo(54);
    expect(jobRetryDelay(2, () => 1)).toBeCloseTo(66);
  });
});

describe('a failure', () => {
  const error = Object.assign(new RangeError('no mailbox\n  ada@example.org'), { code: 'EENVELOPE' });

  it('is identified by its class and code', () => {
    expect(failureName(error)).toBe('RangeError EENVELOPE');
    expect(failureName(Object.assign(new Error('no'), { code: 'ada@example.org' }))).toBe('Error');
    expect(failureName('ada@example.org')).toBe('not an Error was thrown');
  });

  it('is located by its stack without the message', () => {
    expect(failurePlace(error)).toContain('job-retries.spec');
    expect(failurePlace(error)).not.toContain('ada');
  });
});
