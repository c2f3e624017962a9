import type { Language } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** Texts of deliveries. */
export const words: Record<Language, ResourceWords> = texts.perLanguage('webhookDeliveries', ({ words }) => words);
