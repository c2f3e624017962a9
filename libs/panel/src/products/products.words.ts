import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { pictureWords } from '../forms/picture.words.js';
import { texts } from '../locales/panel.texts.js';

/** Texts of products. */
export const words: Record<Language, ResourceWords> = texts.perLanguage('products.words', ({ words, language }) => ({
  ...words,
  properties: { ...words.properties, ...pictureWords[language].properties },
  actions: { ...words.actions, ...pictureWords[language].actions },
  messages: { ...words.messages, ...pictureWords[language].messages },
}));
