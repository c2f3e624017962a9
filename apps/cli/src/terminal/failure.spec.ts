import { afterEach, describe, expect, it } from '@jest/globals';
import { SettingsError } from '#kernel';
import { describeFailure, Refusal, UsageError } from './failure.js';
import { StoppedError } from './stop-signals.js';

const logLevel = process.env['LOG_LEVEL'];

describe('a failing command', () => {
  afterEach(() => {
    if (logLevel === undefined) delete process.env['LOG_LEVEL'];
    else process.env['LOG_LEVEL'] = logLevel;
  });

  it('reports an expected refusal in one line and exits with 1', () => {
    expect(describeFailure(new Refusal('Not so.'))).toEqual({ lines: ['guichet: Not so.'], exitCode: 1 });
    expect(describeFailure(new SettingsError('PORT:\n  unfit'))).toEqual({
      lines: ['guichet: PORT: unfit'],
      exitCode: 1,
    });
  });

  it('exits with 2 for wrong usage, and as the shell expects after a signal', () => {
    expect(describeFailure(new UsageError('Say what.')).exitCode).toBe(2);
    expect(describeFailure(new StoppedError('SIGINT')).exitCode).toBe(130);
    expect(describeFailure(new StoppedError('SIGTERM')).exitCode).toBe(143);
  });

  it('shows the stack of an unexpected error on request', () => {
    delete process.env['LOG_LEVEL'];
    const error = new TypeError('x is not a function');
    expect(describeFailure(error).lines).toEqual([
      'guichet: Unexpected failure: x is not a function',
      'Run it again with LOG_LEVEL=debug for the stack.',
    ]);
    process.env['LOG_LEVEL'] = 'debug';
    expect(describeFailure(error).lines[1]).toContain('failure.spec');
  });

  it('distinguishes an unreachable database from a defect', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
    expect(describeFailure(error).lines[0]).toMatch(/^guichet: The database cannot be used at the moment/);
  });
});
