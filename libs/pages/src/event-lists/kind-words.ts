import { eventCategories, type EventCategory } from '#catalogue';
import type { Language } from '#kernel';
import { texts } from '../locales/pages.texts.js';

const words = texts.perLanguage('eventKinds', ({ words: own }) => own);

/** What visitors read as the kind of an event: the label of the API, except where that says nothing to a visitor. */
export function kindWords(category: EventCategory, language: Language): string {
  return category === 'CHT' ? words[language].cht : eventCategories[category][language];
}
