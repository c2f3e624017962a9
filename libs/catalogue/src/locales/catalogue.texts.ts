import type en from '../../../../locales/en/catalogue.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/catalogue.json`. */
export const texts = new Catalogue<typeof en>('catalogue');
