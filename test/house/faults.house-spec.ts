import { describe, expect, it } from '@jest/globals';
import type { Verdict } from '../faults/checks.js';
import { faults } from '../faults/faults.js';
import { findPrograms, MissingProgramError } from '../faults/programs.js';
import { violations } from '../faults/report.js';

const clean: Verdict = {
  lostEntries: 0,
  lostBookings: 0,
  enteredTwice: 0,
  bookedTwice: 0,
  auditAgrees: true,
  webhooksAgain: 3,
  mailsAgain: 1,
  webhooksMissing: 0,
  mailsMissing: 0,
};
const wrong: Readonly<Record<string, Partial<Verdict>>> = {
  lostEntries: { lostEntries: 1 },
  lostBookings: { lostBookings: 1 },
  enteredTwice: { enteredTwice: 1 },
  bookedTwice: { bookedTwice: 1 },
  audit: { auditAgrees: false },
  webhooksMissing: { webhooksMissing: 1 },
  mailsMissing: { mailsMissing: 1 },
};

describe('npm run faults', () => {
  it('names a missing program in one line, with the command that installs it', () => {
    const find = (): unknown => findPrograms([], '/nowhere');
    expect(find).toThrow(MissingProgramError);
    expect(find).toThrow('Missing: haproxy, pgbouncer, postgresql. On Debian: apt-get install haproxy pgbouncer');
  });

  it('accepts repeated deliveries, and reports everything lost, doubled or unexpected as a violation', () => {
    expect(violations({ fault: 'f', verdict: clean })).toEqual([]);
    expect(violations({ fault: 'f', verdict: clean, unexpected: ['scan: 500 server.failure'] })).toHaveLength(1);
    for (const [name, part] of Object.entries(wrong))
      expect(violations({ fault: 'f', verdict: { ...clean, ...part } })).toEqual([expect.stringContaining(name)]);
  });

  it('has a unique name for every fault', () => {
    const names = Object.values(faults).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(14);
    expect(new Set(names).size).toBe(names.length);
  });
});
