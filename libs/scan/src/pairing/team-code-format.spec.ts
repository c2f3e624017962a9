import { describe, expect, it } from '@jest/globals';
import { mintTeamCode, parseTeamCode, selectorOf, shownTeamCode } from './team-code-format.js';

describe('a team code', () => {
  it('is read as people type it', () => {
    const code = '10QF2MXD9A';
    expect(shownTeamCode(code)).toBe('10QF2-MXD9A');
    for (const typed of ['10QF2MXD9A', '10QF2-MXD9A', '10qf2-mxd9a', 'loqf2 mxd9a', ' IOQF2–MXD9A\n']) {
      expect(parseTeamCode(typed)).toBe(code);
    }
    expect(selectorOf(code)).toBe('10Q');
  });

  it('is not read from other texts', () => {
    for (const typed of ['', '10QF2MXD9', '10QF2MXD9AA', '10QF2MXD9U', '10QF2MXD9É', 'A'.repeat(43), '-'.repeat(1000)]) {
      expect(parseTeamCode(typed)).toBeUndefined();
    }
  });

  it('differs every time, and every one is read again', () => {
    const codes = Array.from({ length: 500 }, mintTeamCode);
    expect(new Set(codes).size).toBe(500);
    for (const code of codes) expect(parseTeamCode(shownTeamCode(code).toLowerCase())).toBe(code);
  });
});
