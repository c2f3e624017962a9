import type en from '../../../../locales/en/cards.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/cards.json`. */
export const texts = new Catalogue<typeof en>('cards');
