import type { Language } from '#kernel';
import { scopeNouns } from '#tenancy';
import type { ScopeNoun } from '#tenancy';
import type { ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

const nouns: Record<Language, Record<ScopeNoun, string>> = texts.perLanguage('apiKeys.nouns', ({ words }) => words);

const rights = texts.perLanguage('apiKeys.rights', ({ words }) => words);

/** Each noun, and each noun with each right. */
function scopeLabels(language: Language): Record<string, string> {
  const pairs = scopeNouns.flatMap((noun) => [
    [noun, nouns[language][noun]],
    // Neither dots nor colons: translations keep those for themselves.
    [`${noun}_read`, `${nouns[language][noun]} (${rights[language].read})`],
    [`${noun}_write`, `${nouns[language][noun]} (${rights[language].write})`],
  ]);
  return Object.fromEntries([...pairs, ...Object.entries(rights[language])]) as Record<string, string>;
}

/** Texts of API keys. */
export const words: Record<Language, ResourceWords> = texts.perLanguage('apiKeys.words', ({ words, language }) => ({
  ...words,
  values: { ...words.values, scopes: scopeLabels(language) },
}));
