import type { Language, Text } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** Where a tenant stands with a network; `none`: it never asked. */
export const memberStateLabels: Readonly<Record<string, Text>> = {
  none: texts.localized('networks.memberStateLabels.none'),
  asked: texts.localized('networks.memberStateLabels.asked'),
  accepted: texts.localized('networks.memberStateLabels.accepted'),
  refused: texts.localized('networks.memberStateLabels.refused'),
  removed: texts.localized('networks.memberStateLabels.removed'),
  left: texts.localized('networks.memberStateLabels.left'),
};

export const memberStateTones = {
  none: 'quiet',
  asked: 'waiting',
  accepted: 'good',
  refused: 'bad',
  removed: 'bad',
  left: 'quiet',
} as const;

/** What the panel of a place says of networks. */
export const networkWords: Record<Language, ResourceWords> = texts.perLanguage('networks.network', ({ words }) => words);

/** What the panel of a network says of its members. */
export const memberWords: Record<Language, ResourceWords> = texts.perLanguage('networks.member', ({ words }) => words);
