import { describe, expect, it } from '@jest/globals';
import { pairingCodeOf, teamCodeOf } from './pairing-code.js';

const token = 'aB3_-'.repeat(8) + 'xyz';
const host = 'lune.example.org:3000';

describe('a pairing code', () => {
  it.each([
    ['K7QF2-MXD9A', 'K7QF2MXD9A'],
    [' k7qf2 mxd9a ', 'K7QF2MXD9A'],
    ['K7OF2–MXDIL', 'K70F2MXD11'],
  ])('reads the team code %s as %s', (typed, code) => expect(teamCodeOf(typed)).toBe(code));

  it.each(['K7QF2-MXD9', 'K7QF2-MXD9U', 'K7QF2-MXD9AA', ''])('refuses the team code "%s"', (typed) => expect(teamCodeOf(typed)).toBeNull());

  it.each([
    [`https://${host}/door/#pair=${token}`, token],
    [`https://LUNE.example.org:3000/door#pair=K7QF2-MXD9A`, 'K7QF2MXD9A'],
    [`#pair=${token}`, token],
    [`https://${host}/scan/${token}/pair`, token],
    [token, token],
  ])('is read from %s', (text, code) => expect(pairingCodeOf(text, host)).toEqual({ kind: 'code', code }));

  it('of another host leads to the app of that host', () => {
    const address = `http://sol.example.org/door/#pair=${token}`;
    expect(pairingCodeOf(address, host)).toEqual({ kind: 'elsewhere', host: 'sol.example.org', address });
    expect(pairingCodeOf(`http://sol.example.org/scan/${token}/pair/`, host)).toEqual({
      kind: 'elsewhere',
      host: 'sol.example.org',
      address,
    });
  });

  it.each(['https://example.org/', 'javascript:alert(1)#pair=x', `${token}!`, '#pair=', 'x'.repeat(10_000), `ftp://a/door/#pair=${token}`])(
    'is not found in %s',
    (text) => expect(pairingCodeOf(text, host)).toEqual({ kind: 'none' }),
  );
});
