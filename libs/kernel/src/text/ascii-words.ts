import anyAscii from 'any-ascii';
import { folded } from './text-search.js';

/**
 * A text as words of a to z and digits with dashes between them, for addresses: letters as the search spells them, those of other scripts
 * transliterated, pictures left out. Empty when nothing is left.
 * @param longest number of characters; a longer text is cut behind a word where one ends in its second half
 */
export function asciiWords(text: string, longest: number): string {
  // NFC puts together the parts of syllables (Hangul, kana), which have one transliteration.
  const spelled = anyAscii(
    folded(text)
      .normalize('NFC')
      .replace(/\p{Extended_Pictographic}/gu, ' '),
  );
  const words = spelled
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  if (words.length <= longest) return words;
  const cut = words.slice(0, longest + 1).lastIndexOf('-');
  return words.slice(0, cut >= longest / 2 ? cut : longest).replace(/-+$/, '');
}
