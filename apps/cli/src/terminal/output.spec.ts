import { describe, expect, it } from '@jest/globals';
import { clock, fields, table } from './output.js';

describe('output of the command line for people', () => {
  it('aligns columns by characters, not bytes', () => {
    expect(
      table(
        ['NAME', 'STATE'],
        [
          ['Démo', 'ok'],
          ['A', null],
        ],
        'none',
      ),
    ).toEqual(['NAME  STATE', 'Démo  ok', 'A']);
  });

  it('reports in one line that there are no rows', () => {
    expect(table(['NAME'], [], 'There is no tenant.')).toEqual(['There is no tenant.']);
  });

  it('removes control characters of stored names', () => {
    expect(table(['NAME'], [['a\u001b[2Jb\n\u009bc']], '')[1]).toBe('a?[2Jb??c');
    expect(fields({ Name: 'a\u0007' })).toEqual(['Name  a?']);
  });

  it('omits fields without a value', () => {
    expect(fields({ Host: 'a.localhost', Password: null, Slug: 'a' })).toEqual(['Host  a.localhost', 'Slug  a']);
  });

  it('writes times in the time zone of the tenant', () => {
    expect(clock(new Date('2026-11-20T19:30:00Z'), 'Europe/Paris')).toBe('2026-11-20 20:30');
    expect(clock(null, 'Europe/Paris')).toBe('-');
  });
});
