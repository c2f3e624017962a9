import type { Language } from '#kernel';
import type { WelcomeStepName } from './welcome.reader.js';
import { texts } from '../locales/panel.texts.js';

interface WelcomeWords {
  /** Parameters: place. */
  readonly title: string;
  readonly lead: string;
  readonly allDone: string;
  readonly done: string;
  readonly open: string;
  readonly steps: Readonly<Record<WelcomeStepName, { readonly title: string; readonly text: string }>>;
  readonly panel: string;
  readonly dismiss: string;
}

/** Texts of the page with the first steps of a new place. */
export const welcomeWords: Readonly<Record<Language, WelcomeWords>> = texts.perLanguage('welcome', ({ words }) => words);
