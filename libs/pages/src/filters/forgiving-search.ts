import { distance } from 'fastest-levenshtein';
import { folded, longestSearch, mapInSlices } from '#kernel';

/** Maximum number of words of a search that are compared. */
const mostWords = 8;

/**
 * A search as its writer may have meant it: each word that no text contains is replaced with the most similar word of the texts.
 * @param texts of the records that can be found
 * @returns undefined when no word is replaced
 */
export async function meantSearch(typed: string, texts: readonly string[]): Promise<string | undefined> {
  const wordsOfTexts = await mapInSlices(texts, wordsOf);
  const known = [...new Set(wordsOfTexts.flat())];
  const words = wordsOf(typed.slice(0, longestSearch)).slice(0, mostWords);
  const meant = await mapInSlices(words, (word) => (known.some((one) => one.includes(word)) ? word : (mostSimilar(word, known) ?? word)));
  return meant.join(' ') === words.join(' ') ? undefined : meant.join(' ');
}

function wordsOf(text: string): string[] {
  return folded(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

/** The first of the most similar words; undefined when none is similar. */
function mostSimilar(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = mostEdits(word) + 1;
  for (const one of known) {
    if (Math.abs(one.length - word.length) >= least) continue;
    const edits = isSwapped(word, one) ? 1 : distance(word, one);
    if (edits < least) [best, least] = [one, edits];
  }
  return best;
}

/** Two letters changed their places, which is one mistake of somebody who types. */
function isSwapped(word: string, one: string): boolean {
  const wrong = [...one].flatMap((letter, at) => (letter === word[at] ? [] : [at]));
  const [first = 0, second = 0] = wrong;
  return word.length === one.length && wrong.length === 2 && word[first] === one[second] && word[second] === one[first];
}

/** How many letters of a word may be wrong. */
function mostEdits({ length }: string): number {
  return length < 4 ? 0 : length < 6 ? 1 : 2;
}
