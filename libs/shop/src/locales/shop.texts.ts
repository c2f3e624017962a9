import type en from '../../../../locales/en/shop.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/shop.json`. */
export const texts = new Catalogue<typeof en>('shop');
