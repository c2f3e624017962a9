import { signal } from '@preact/signals';
import type en from '../../../../locales/en/door.json';
import { preferences, setPreference } from '../device/preferences.js';
import { fillText, type Parameters, type TextKey, type TextTree } from './fill-text.js';

/** A path of a text in `locales/<language>/door.json`. */
export type Key = TextKey<typeof en>;

type Language = (typeof BUILD_LANGUAGES)[number];

export const languages = BUILD_LANGUAGES;

const fallback = languages[0] as Language;

/** The language in use, and its texts. */
export const language = signal<Language>(fallback);
const tree = signal<TextTree>({});

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
      const loaded = await load(one).then(
        () => true,
        () => false,
      );
      if (loaded) return;
    }
    await new Promise((over) => setTimeout(over, 1000));
  }
}

/** @throws TypeError when neither cache nor network has the texts */
async function load(wanted: Language): Promise<void> {
  const answer = await fetch(wanted.file);
  if (!answer.ok) throw new TypeError(`${wanted.file}: ${answer.status}`);
  tree.value = (await answer.json()) as TextTree;
  language.value = wanted;
  document.documentElement.lang = wanted.code;
}

/** Changes the language and remembers it. @throws TypeError when neither cache nor network has its texts; the language then stays */
export async function chooseLanguage(code: string): Promise<void> {
  await load(preferredLanguage(code, []));
  setPreference('language', code);
}

/** A text in the language in use; `count` chooses its plural form. */
export function t(key: Key, parameters: Parameters = {}): string {
  return fillText(tree.value, language.value.locale, key, parameters);
}
