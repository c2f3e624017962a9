import type en from '../../../../locales/en/pages.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/pages.json`. */
export const texts = new Catalogue<typeof en>('pages');
