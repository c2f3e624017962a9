import { describe, expect, it } from '@jest/globals';
import { amountInFrench } from './amount-in-french.js';

describe('an amount in French words', () => {
  it.each([
    ['0.00', 'zéro euro'],
    ['0.01', 'un centime d’euro'],
    ['0.50', 'cinquante centimes d’euro'],
    ['1.00', 'un euro'],
    ['1.01', 'un euro et un centime'],
    ['12.5', 'douze euros et cinquante centimes'],
    ['17.00', 'dix-sept euros'],
    ['21.00', 'vingt et un euros'],
    ['70.71', 'soixante-dix euros et soixante et onze centimes'],
    ['80.00', 'quatre-vingts euros'],
    ['81.91', 'quatre-vingt-un euros et quatre-vingt-onze centimes'],
    ['99.99', 'quatre-vingt-dix-neuf euros et quatre-vingt-dix-neuf centimes'],
    ['100.00', 'cent euros'],
    ['101.00', 'cent un euros'],
    ['200.00', 'deux cents euros'],
    ['280.00', 'deux cent quatre-vingts euros'],
    ['999.00', 'neuf cent quatre-vingt-dix-neuf euros'],
    ['1000.00', 'mille euros'],
    ['1999.00', 'mille neuf cent quatre-vingt-dix-neuf euros'],
    ['80000.00', 'quatre-vingt mille euros'],
    ['200000.00', 'deux cent mille euros'],
    ['1000000.00', 'un million d’euros'],
    ['2000001.00', 'deux millions un euros'],
    ['80000000.00', 'quatre-vingts millions d’euros'],
    ['99000099.99', 'quatre-vingt-dix-neuf millions quatre-vingt-dix-neuf euros et quatre-vingt-dix-neuf centimes'],
  ])('%s: %s', (amount, words) => {
    expect(amountInFrench(amount)).toBe(words);
  });
});
