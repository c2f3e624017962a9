import type { Language } from '#kernel';
import { texts } from '../locales/panel.texts.js';

/** Texts of resources with a picture. */
export const pictureWords: Record<
  Language,
  Readonly<Record<'properties' | 'actions' | 'messages', Record<string, string>>>
> = texts.perLanguage('picture', ({ words }) => words);
