import { describe, expect, it } from '@jest/globals';
import { asciiWords } from './ascii-words.js';

describe('words of an address', () => {
  it.each([
    ['Fête de l’été à Nîmes', 'fete-de-l-ete-a-nimes'],
    ['Straßenfest: Œuvres & Bœuf, Ærøskøbing', 'strassenfest-oeuvres-boeuf-aeroskobing'],
    ['Łódź, İzmir, ılık, Þórðarson, Đorđe', 'lodz-izmir-ilik-thordarson-dorde'],
    ['Концерт на Неве', 'kontsert-na-neve'],
    ['Αθήνα 2027', 'athina-2027'],
    ['北京 live', 'beijing-live'],
    ['さくら', 'sakura'],
    ['🎉 Party 🎉', 'party'],
    ['🎉', ''],
    ['—', ''],
  ])('%s becomes %s', (text, words) => {
    expect(asciiWords(text, 80)).toBe(words);
  });

  it('are cut behind a word', () => {
    expect(asciiWords('A very long evening of songs', 20)).toBe('a-very-long-evening');
    expect(asciiWords('Donaudampfschifffahrt', 10)).toBe('donaudampf');
  });
});
