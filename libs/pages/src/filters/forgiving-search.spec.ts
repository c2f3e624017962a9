import { describe, expect, it } from '@jest/globals';
import { meantSearch } from './forgiving-search.js';

const texts = ['Sept Lieues: the album night', 'Lantern-Making Workshop', 'Orchestre de Poche du Quai Nord', 'Fête à Rezé'];

describe('a search with typing errors', () => {
  it.each([
    ['sept lieus', 'sept lieues'],
    ['SEPT LIEÜS', 'sept lieues'],
    ['lantren', 'lantern'],
    ['orchester nord', 'orchestre nord'],
    ['rezée', 'reze'],
  ])('%s means %s', async (typed, meant) => {
    expect(await meantSearch(typed, texts)).toBe(meant);
  });

  it.each(['sept', 'lieu', 'work', 'unrelated', 'fet xyz', '', '%'])('%s is left as it is', async (typed) => {
    expect(await meantSearch(typed, texts)).toBeUndefined();
  });

  it('lets other work go on among ten thousand texts', async () => {
    const many = Array.from({ length: 10_000 }, (_, nth) => `Evening ${nth.toString(36)}word of long${nth}names`);
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    await meantSearch('evning wrod xlongnamse abcdefgh ijklmnop qrstuvwx yzabcdef ghijklmn', many);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(5);
  });
});
