import { describe, expect, it } from '@jest/globals';
import { hasAddress } from './web-addresses.js';

describe('addresses in names', () => {
  it.each([
    'https://evil.example',
    'Win now at evil.com',
    'www.evil',
    'evil.co.uk',
    'bücher.de',
    'x.рф',
    'ada@home',
    'a/b',
    'a\\b',
    'ｅｖｉｌ．ｃｏｍ',
    'evil。com',
    'evil.\u200Bcom',
    '192.0.2.1',
    'Ada, evil.com!',
  ])('are found: %s', (text) => {
    expect(hasAddress(text)).toBe(true);
  });

  it.each([
    'Ada Lovelace',
    'J.R.R. Tolkien',
    'J.R.R.Tolkien',
    'St.John',
    'Dr.Müller',
    'Anne-Marie',
    'O’Neil, Jr.',
    'Sammy D. jr',
    '王小明',
    'No. 5',
    '',
  ])('are not found in names: %s', (text) => {
    expect(hasAddress(text)).toBe(false);
  });
});
