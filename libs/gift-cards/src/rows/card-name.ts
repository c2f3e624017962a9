import { currentLanguage, type Language } from '#kernel';
import { texts } from '../locales/gift-cards.texts.js';

/** How a gift card is called. */
export const giftCardName = (language: Language = currentLanguage()): string => texts.translate(language, 'name');
