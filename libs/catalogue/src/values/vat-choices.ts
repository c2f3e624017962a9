import { vatRates } from './catalogue-codes.js';

/**
 * Rates of value-added tax in percent of the countries whose venues are likely to charge it, the standard rate first. Rates of
 * November 2026 without a check against official tables, therefore a proposal for forms only: every rate can be typed.
 */
const ratesOf: Readonly<Record<string, readonly string[]>> = {
  AT: ['20', '13', '10'],
  BE: ['21', '12', '6'],
  BG: ['20', '9'],
  CH: ['8.1', '3.8', '2.6'],
  CY: ['19', '9', '5', '3'],
  CZ: ['21', '12'],
  DE: ['19', '7'],
  DK: ['25'],
  EE: ['24', '13', '9'],
  ES: ['21', '10', '4'],
  FI: ['25.5', '13.5', '10'],
  FR: ['20', '10', '5.5', '2.1'],
  GB: ['20', '5'],
  GP: ['8.5', '2.1'],
  GR: ['24', '13', '6'],
  HR: ['25', '13', '5'],
  HU: ['27', '18', '5'],
  IE: ['23', '13.5', '9', '4.8'],
  IS: ['24', '11'],
  IT: ['22', '10', '5', '4'],
  LI: ['8.1', '3.8', '2.6'],
  LT: ['21', '12', '5'],
  LU: ['17', '14', '8', '3'],
  LV: ['21', '12', '5'],
  MC: ['20', '10', '5.5', '2.1'],
  MQ: ['8.5', '2.1'],
  MT: ['18', '12', '7', '5'],
  NL: ['21', '9'],
  NO: ['25', '15', '12'],
  PL: ['23', '8', '5'],
  PT: ['23', '13', '6'],
  RE: ['8.5', '2.1'],
  RO: ['21', '11'],
  SE: ['25', '12', '6'],
  SI: ['22', '9.5', '5'],
  SK: ['23', '19', '5'],
};

/** The value that prices store for a rate: its code, when it has one. */
const stored = (rate: string): string => Object.entries(vatRates).find(([, known]) => known === rate)?.[0] ?? rate;

/**
 * The values of VAT that forms offer: none, and the rates of a country.
 * @param country ISO 3166 alpha-2; of an unknown country, or without one, all codes are offered
 */
export function vatChoices(country: string | undefined): string[] {
  const rates = country === undefined ? undefined : ratesOf[country];
  return rates ? ['NA', ...rates.map(stored)] : Object.keys(vatRates);
}
