import { setPreference } from '../device/preferences.js';
import type { Texts } from './fill-text.js';
import { language, preferredLanguage, readTexts, showTexts, texts, type Language } from './texts.js';

interface LaterLanguage {
  readonly code: string;
  readonly name: string;
  /** Address of the texts that the first screen does not use. */
  readonly texts: string;
  /** Address of the page for volunteers. */
  readonly guide: string;
}

/** The languages of the server. */
export const languages = JSON.parse(BUILD_LATER_LANGUAGES) as readonly LaterLanguage[];

const laterOf = ({ code }: Language): LaterLanguage => languages.find((one) => one.code === code) as LaterLanguage;

/** Address of the page for volunteers in the language in use. */
export const guideAddress = (): string => laterOf(language.value).guide;

/** Adds the texts that the first screen does not use. @throws TypeError when neither cache nor network has them */
export async function loadLaterTexts(): Promise<void> {
  const later = await readTexts(laterOf(language.value).texts);
  texts.value = { ...texts.value, ...later };
}

/** Changes the language and remembers it. @throws TypeError when neither cache nor network has its texts; the language then stays */
export async function chooseLanguage(code: string): Promise<void> {
  const wanted = preferredLanguage(code, []);
  const files: readonly Texts[] = await Promise.all([readTexts(wanted.file), readTexts(laterOf(wanted).texts)]);
  showTexts(wanted, Object.assign({}, ...files) as Texts);
  setPreference('language', code);
}
