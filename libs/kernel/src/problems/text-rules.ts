import { RefusedInput } from './refused-input.js';
import type { Text } from '../locales/language.js';
import { texts } from '../locales/kernel.texts.js';

/** Maximum length of a column's text in characters; for a list of texts also its maximum number of entries. */
export type TextLimit = number | { readonly entries: number; readonly each: number };
/** The limits of a table's columns: the only definition, used by DTOs, services and panel forms. */
export type TextLimits = Readonly<Record<string, TextLimit>>;

/** Maximum nesting of elements. The time to sanitise grows with length times depth. */
const deepestHtml = 50;
/**
 * Maximum number of "<" in one text. Sanitising takes up to 4 µs for each, and a text of 100,000 characters may contain 100,000 of them.
 */
const mostTags = 4000;
/** Any character except white space, control and format characters, invisible fillers, and the empty braille pattern. */
const visible = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text has control characters (U+0000 to U+001F) other than tab and line breaks. */
export function hasControls(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) return true;
  }
  return false;
}

/** Whether a text contains a visible character. */
export function isVisible(text: string): boolean {
  return visible.test(text);
}

/** Whether a text has at most `most` characters (code points). Reads no further than that. */
export function isAtMost(text: string, most: number): boolean {
  if (text.length <= most) return true;
  if (text.length > 2 * most) return false;
  let pairs = 0;
  for (let index = 0; index < text.length; index += 1) if ((text.charCodeAt(index) & 0xfc00) === 0xdc00) pairs += 1;
  return text.length - pairs <= most;
}

/**
 * Checks texts before anything sanitises or parses them: length first, then control characters, number of tags and depth of elements.
 * @param limits of the columns; other members of `input` are ignored
 * @throws RefusedInput on the first invalid member
 */
export function refuseUnfitTexts(input: Readonly<Record<string, unknown>> | object, limits: TextLimits): void {
  for (const [field, limit] of Object.entries(limits)) {
    const value = (input as Readonly<Record<string, unknown>>)[field];
    if (typeof value === 'string' && typeof limit === 'number') refuseUnfitText(field, value, limit);
    if (!Array.isArray(value) || typeof limit === 'number') continue;
    if (value.length > limit.entries) throw new RefusedInput(field, sentences.entries(limit.entries));
    for (const entry of value) if (typeof entry === 'string') refuseUnfitText(field, entry, limit.each);
  }
}

/** @throws RefusedInput on `field`, see {@link refuseUnfitTexts} */
export function refuseUnfitText(field: string, text: string, most: number): void {
  if (!isAtMost(text, most)) throw new RefusedInput(field, sentences.length(most));
  if (hasControls(text)) throw new RefusedInput(field, sentences.controls);
  if (hasMoreTagsThan(text, mostTags)) throw new RefusedInput(field, sentences.tags);
  if (isDeeperThan(text, deepestHtml)) throw new RefusedInput(field, sentences.depth);
}

function hasMoreTagsThan(text: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    count += 1;
    if (count > most) return true;
  }
  return false;
}

const voidElements = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);
/** Elements that end where the next one of their kind begins. */
const selfEnding = new Set(['p', 'li', 'dt', 'dd', 'tr', 'td', 'th', 'option']);

/** Whether elements in a text are nested deeper than `most`. Linear in the length of the text. */
export function isDeeperThan(text: string, most: number): boolean {
  const open: string[] = [];
  for (const [, slash, written = ''] of text.matchAll(/<(\/?)([a-z][a-z0-9-]{0,30})/gi)) {
    const name = written.toLowerCase();
    if (slash) {
      const at = open.lastIndexOf(name);
      if (at >= 0) open.length = at;
    } else if (!voidElements.has(name)) {
      if (selfEnding.has(name) && open.at(-1) === name) open.pop();
      open.push(name);
      if (open.length > most) return true;
    }
  }
  return false;
}

const sentences = {
  length: (most: number): Text => texts.localized('textRules.tooLong', { most }),
  entries: (most: number): Text => texts.localized('textRules.tooManyEntries', { most }),
  controls: texts.localized('textRules.controlCharacters'),
  tags: texts.localized('textRules.tooManyTags', { mostTags }),
  depth: texts.localized('textRules.tooDeep', { deepestHtml }),
} as const;

/** The sentence for a fault of a body's member. */
export const controlsSentence: Text = sentences.controls;
