import type { Language, Text } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** Labels of a tenant's state in a network; `none`: it never asked. */
export const memberStateLabels: Readonly<Record<string, Text>> = {
  none: texts.localized('networks.states.none'),
  asked: texts.localized('networks.states.asked'),
  accepted: texts.localized('networks.states.accepted'),
  refused: texts.localized('networks.states.refused'),
  removed: texts.localized('networks.states.removed'),
  left: texts.localized('networks.states.left'),
};

export const memberStateTones = {
  none: 'quiet',
  asked: 'waiting',
  accepted: 'good',
  refused: 'bad',
  removed: 'bad',
  left: 'quiet',
} as const;

/** Texts of networks in a tenant's panel. */
export const networkWords: Record<Language, ResourceWords> = texts.perLanguage('networks.network', ({ words }) => words);

/** Texts of members in a network's panel. */
export const memberWords: Record<Language, ResourceWords> = texts.perLanguage('networks.member', ({ words }) => words);
