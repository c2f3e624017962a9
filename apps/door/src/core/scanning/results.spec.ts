import { describe, expect, it } from '@jest/globals';
import type { Decision } from '../verdict/decision.js';
import { listResult } from './results.js';

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
