import { describe, expect, it } from '@jest/globals';
import { searchWords } from './text-search.js';

describe('the words of a search', () => {
  it.each(['№ 1A2B3C4D', '№1A2B3C4D', '#1a2b3c4d', '1A2B3C4D'])('are the number alone for %s, as it is printed', (text) => {
    expect(searchWords(text).map(({ within, isReference }) => [within, isReference])).toEqual([['%1a2b3c4d%', true]]);
  });
});
