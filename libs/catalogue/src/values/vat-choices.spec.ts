import { describe, expect, it } from '@jest/globals';
import { vatChoices } from './vat-choices.js';

describe('the rates of VAT that forms offer', () => {
  it('are those of the country, as codes where there are some', () => {
    expect(vatChoices('FR')).toEqual(['NA', 'VG', 'DX', '5.5', '2.1']);
    expect(vatChoices('DE')).toEqual(['NA', '19', '7']);
    expect(vatChoices('RE')).toEqual(['NA', 'HC', '2.1']);
  });

  it('are all codes where the country is unknown', () => {
    for (const country of [undefined, 'XX']) expect(vatChoices(country)).toEqual(['NA', 'DX', 'VG', 'HC', 'DD']);
  });
});
