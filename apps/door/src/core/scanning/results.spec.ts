import { describe, expect, it } from '@jest/globals';
import type { Decision } from '../verdict/decision.js';
import { listResult, offersOthers, serverResult } from './results.js';
import { noParts } from '../verdict/server-answer.js';

const decided: Decision = {
  verdict: 'go',
  reason: null,
  previous: null,
  group: { count: 5, inside: 1, expected: 3 },
  nextStep: null,
  gates: [],
  opensAt: null,
  holder: null,
  before: 0,
  ticket: null,
};

function groupAfter(change: Partial<Decision>, tickets: number | null = null): Decision['group'] {
  const attempt = { scanId: 'a', direction: 'entry' as const, at: 0, tickets };
  return listResult(attempt, { ...decided, ...change }, null, null, false).group;
}

describe('the reservation in a result of the list', () => {
  it('counts whoever comes in, alone or together', () => {
    expect(groupAfter({})).toEqual({ count: 5, inside: 2, expected: 2 });
    expect(groupAfter({}, 3)).toEqual({ count: 5, inside: 4, expected: 0 });
  });

  it('counts whoever returns or leaves', () => {
    expect(groupAfter({ before: 2 })).toEqual({ count: 5, inside: 2, expected: 3 });
    expect(groupAfter({ verdict: 'out', before: 1 })).toEqual({ count: 5, inside: 0, expected: 3 });
  });

  it('counts nobody who stays where they are', () => {
    for (const verdict of ['stop', 'ask', 'just'] as const) expect(groupAfter({ verdict })).toEqual(decided.group);
  });
});

describe('a code that is used, whose others are still expected', () => {
  const used = { verdict: 'stop', reason: 'already_scanned' } as const;
  const basis = { scanId: 'a', direction: 'entry', at: 0 } as const;
  const byList = (change: Partial<Decision> = {}) =>
    listResult({ ...basis, tickets: null }, { ...decided, ...used, ...change }, null, null, false);

  it('is no red result, by the list and by the server, because the others may come in', () => {
    const byServer = serverResult(basis, { ...used, parts: { ...noParts, group: decided.group } });
    for (const result of [byList(), byServer]) expect([result.verdict, offersOthers(result)]).toEqual(['ask', true]);
  });

  it('is red when nobody else may come in, and people leave', () => {
    const group = { count: 5, inside: 5, expected: 0 };
    const leaving = listResult({ ...basis, direction: 'exit', tickets: null }, { ...decided, ...used }, null, null, false);
    for (const result of [byList({ group }), byList({ group: null }), leaving])
      expect([result.verdict, offersOthers(result)]).toEqual(['stop', false]);
  });
});
