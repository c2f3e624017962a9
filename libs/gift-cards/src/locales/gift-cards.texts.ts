import type en from '../../../../locales/en/gift-cards.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/gift-cards.json`. */
export const texts = new Catalogue<typeof en>('gift-cards');
