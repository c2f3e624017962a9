import { describe, expect, it } from '@jest/globals';
import { missingTo, roundStepOf, roundUps } from './round-up.js';

describe('rounding a sum up', () => {
  it('offers the next full five and ten, each sum once', () => {
    const offered = (sum: string): string[] => roundUps(sum).map((way) => `${way.step}: ${way.missing} ${way.sum}`);
    expect(offered('22.50')).toEqual(['5: 2.50 25.00', '10: 7.50 30.00']);
    expect(offered('27.01')).toEqual(['5: 2.99 30.00']);
    expect(offered('25.00')).toEqual(['10: 5.00 30.00']);
    expect(offered('0.10')).toEqual(['5: 4.90 5.00', '10: 9.90 10.00']);
    for (const sum of ['30.00', '0.00', '0']) expect(offered(sum)).toEqual([]);
  });

  it('adds up to a multiple of the step for every sum', () => {
    for (let cents = 0; cents < 3000; cents += 1) {
      const sum = (cents / 100).toFixed(2);
      for (const step of [5, 10] as const) {
        const missing = Math.round(Number(missingTo(sum, step)) * 100);
        expect([(cents + missing) % (step * 100), missing < step * 100]).toEqual([0, true]);
      }
    }
  });

  it('knows its steps only', () => {
    expect(['5', '10', '7', '', '5.0', '-5'].map(roundStepOf)).toEqual([5, 10, undefined, undefined, undefined, undefined]);
  });
});
