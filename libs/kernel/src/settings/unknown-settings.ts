import { closest, distance } from 'fastest-levenshtein';
import { settingNames } from './settings.js';

/** First words that only settings of Guichet have; others (`HOST`, `NODE`, `SESSION`, `LOG`) are usual in every environment. */
const ownWords = [
  'BOOKING',
  'DATABASE',
  'MAIL',
  'METRICS',
  'MIGRATION',
  'OUTBOUND',
  'RATE',
  'SCAN',
  'SHUTDOWN',
  'SMTP',
  'STRIPE',
  'TENANT',
  'TRUSTED',
  'WEBHOOK',
];

/** Of other programs that run beside Guichet. */
const foreign = new Set(['WEBHOOK_SECRET', 'MAIL']);

/**
 * Describes the variables of an environment that are no settings but look like some: misspelt, or with the first word of a setting. Such a
 * variable has no effect, which nobody would notice.
 * @returns a line for each
 */
export function unknownSettings(environment: NodeJS.ProcessEnv = process.env): string[] {
  return Object.keys(environment)
    .filter((name) => !settingNames.has(name) && !foreign.has(name) && looksLikeSetting(name))
    .toSorted()
    .map((name) => `${name} is no setting and has no effect. Did you mean ${closest(name, [...settingNames])}?`);
}

function looksLikeSetting(name: string): boolean {
  if (!/^[A-Z][A-Z_\d]{3,}$/.test(name)) return false;
  const mistakes = name.length > 6 ? 2 : 1;
  return ownWords.some((word) => name.startsWith(`${word}_`)) || [...settingNames].some((known) => distance(name, known) <= mistakes);
}
