import { languageNames, type Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { categoryLabels } from '#panel-kit';
import { countryChoices } from '#pages';
import { pictureWords } from '../forms/picture.words.js';
import { texts } from '../locales/panel.texts.js';

/** Texts of the profile in the panel. */
export function profileWords(language: Language): ResourceWords {
  const { properties, actions, messages, values } = words[language];
  return {
    ...words[language],
    properties: { ...properties, image: actions.image, logo: actions.logo, map: actions.map },
    values: {
      ...values,
      category: categoryLabels(language),
      country: Object.fromEntries(countryChoices(language)),
      language: languageNames(language),
    },
    messages: { ...messages, ...pictureWords[language].messages },
  };
}

const words = texts.perLanguage('profile.words', ({ words }) => words);

/** A line about each pairing of type. */
export const typefaceHelps = texts.perLanguage('profile.typefaces', ({ words: own }) => own);
