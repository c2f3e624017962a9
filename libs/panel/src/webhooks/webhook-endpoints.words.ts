import type { Language, Text } from '#kernel';
import type { ResourceWords } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

/** Label of the link below the last deliveries of an endpoint. */
export const allDeliveries: Text = texts.localized('webhookEndpoints.allDeliveries');

/** Texts of webhook endpoints. */
export const words: Record<Language, ResourceWords> = texts.perLanguage('webhookEndpoints.words', ({ words }) => words);
