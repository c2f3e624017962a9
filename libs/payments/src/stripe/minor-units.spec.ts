import { describe, expect, it } from '@jest/globals';
import { decimalText, minorUnits } from './minor-units.js';

describe('minor units', () => {
  it.each([
    ['12.50', 'EUR', 1250],
    ['12.5', 'eur', 1250],
    ['12', 'EUR', 1200],
    ['0.07', 'EUR', 7],
    // 1.15 × 100 is 114.99999999999999.
    ['1.15', 'EUR', 115],
    ['999999999.99', 'EUR', 99_999_999_999],
    ['1500', 'XPF', 1500],
    ['1500.00', 'JPY', 1500],
  ])('of %s %s are %s', (amount, currency, units) => {
    expect(minorUnits(amount, currency)).toBe(units);
    expect(Number(decimalText(units, currency))).toBe(Number(amount));
  });

  it.each(['', '0', '0.00', '-1.00', '1.505', '1,50', '1e3', ' 1.00', '.50', '1.', 'NaN', '1000000000.00'])(
    'are refused for the amount %j',
    (amount) => {
      expect(() => minorUnits(amount, 'EUR')).toThrow(TypeError);
    },
  );

  it('are refused for a fraction of a yen and for an unknown currency', () => {
    expect(() => minorUnits('1.50', 'JPY')).toThrow(TypeError);
    expect(() => minorUnits('1.50', 'euro')).toThrow(TypeError);
  });

  it('are converted to decimal text', () => {
    expect([0, 7, 1250].map((units) => decimalText(units, 'eur'))).toEqual(['0.00', '0.07', '12.50']);
    expect(() => decimalText(1.5, 'eur')).toThrow(TypeError);
  });
});
