import { describe, expect, it } from '@jest/globals';
import { parseTag } from './card-tag.js';

describe('the tag of a card', () => {
  it.each([
    ['04a22f1b', '04A22F1B'],
    [' 04:A2:2F:1B:44:5E:80\r\n', '04A22F1B445E80'],
    ['04-a2-2f-1b-44-5e-80-01-02-03', '04A22F1B445E80010203'],
    ['04 a2 2f 1b', '04A22F1B'],
  ])('is one for every spelling of a reader: %j', (text, tag) => {
    expect(parseTag(text)).toBe(tag);
  });

  it.each([
    '',
    '04A22F',
    '04A22F1B4',
    '04A22F1B44',
    '04A22F1G',
    '04::A22F1B',
    '0:4A22F1B',
    ':04A22F1B',
    '04A22F1B:',
    '04.A2.2F.1B',
    '٠4A22F1B',
    'A'.repeat(1_000_000),
  ])('is nothing else: %#', (text) => {
    expect(parseTag(text)).toBeUndefined();
  });
});
