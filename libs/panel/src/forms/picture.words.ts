import type { Language } from '#kernel';
import { texts } from '../locales/panel.texts.js';

/** What a resource with a picture says of it. */
export const pictureWords: Record<
  Language,
  Readonly<Record<'properties' | 'actions' | 'messages', Record<string, string>>>
> = texts.perLanguage('picture', ({ words }) => words);
