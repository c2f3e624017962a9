import { signal } from '@preact/signals';
import type en from '../../../../locales/en/door.json';
import { preferences } from '../device/preferences.js';
import { fillText, type Parameters, type TextKey, type Texts } from './fill-text.js';

/** A path of a text in `locales/<language>/door.json`. */
export type Key = TextKey<typeof en>;

export type Language = (typeof BUILD_LANGUAGES)[number];

const languages = BUILD_LANGUAGES;
const fallback = languages[0] as Language;

/** The language in use, and its texts that are there. */
export const language = signal<Language>(fallback);
export const texts = signal<Texts>({});

/** The chosen language, else the first of the phone's that the server has. */
export function preferredLanguage(chosen: string | null, wanted: readonly string[]): Language {
  const byCode = (code: string): Language | undefined => languages.find((one) => one.code === code.toLowerCase().split('-')[0]);
  return [...(chosen === null ? [] : [chosen]), ...wanted].map(byCode).find((found) => found !== undefined) ?? fallback;
}

/** Loads texts at the start, in another language when only that one is there, and waits for a network when none is. */
export async function loadSomeTexts(): Promise<void> {
  const wanted = preferredLanguage(preferences.value.language, navigator.languages);
  for (;;) {
    for (const one of [wanted, ...languages]) {
      const read = await readTexts(one.file).catch(() => undefined);
      if (read) return showTexts(one, read);
    }
    await new Promise((over) => setTimeout(over, 1000));
  }
}

/** Reads a file of texts. @throws TypeError when neither cache nor network has it */
export async function readTexts(file: string): Promise<Texts> {
  const answer = await fetch(file);
  if (!answer.ok) throw new TypeError(`${file}: ${answer.status}`);
  return (await answer.json()) as Texts;
}

/** From now on the screens have these texts, in this language. */
export function showTexts(wanted: Language, read: Texts): void {
  texts.value = read;
  language.value = wanted;
  document.documentElement.lang = wanted.code;
}

/** A text in the language in use; `count` chooses its plural form. */
export function t(key: Key, parameters: Parameters = {}): string {
  return fillText(texts.value, language.value.locale, key, parameters);
}
