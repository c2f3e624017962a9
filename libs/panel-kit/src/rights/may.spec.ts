import { describe, expect, it } from '@jest/globals';
import { presetNames, presets, type Grant } from '#tenancy';
import { mayNow, mayPerformOn } from './may.js';

const of = (role: keyof typeof presets): Grant => ({ role, levels: presets[role], scope: { kind: 'all' } });

describe('what an action needs', () => {
  it('may be one of several permissions: who looks does not act', () => {
    const needs = { all: 'reservation.checkIn', oneOf: ['reservation.sell', 'door.decide'] } as const;
    expect(presetNames.filter((role) => mayNow(needs, of(role)))).toEqual(['direction', 'boxOffice', 'doorManager']);
    expect(mayNow(needs, { ...of('doorManager'), levels: { door: 'set' } })).toBe(false);
  });

  it.each([
    ['0.00', 'boxOffice', true],
    ['-1.00', 'boxOffice', true],
    ['0.01', 'boxOffice', false],
    [undefined, 'boxOffice', false],
    [null, 'boxOffice', false],
    ['12.00', 'accounting', true],
  ] as const)('may be more for records with money: %s, %s', (paid, role, may) => {
    const rights = { see: 'reservation.see', more: { cancel: { above: 'paid', needs: 'refund.give' } } } as const;
    expect(mayPerformOn({ rights }, 'cancel', paid === undefined ? {} : { paid }, of(role))).toBe(may);
    expect(mayPerformOn({ rights }, 'print', {}, of(role))).toBe(true);
  });
});
