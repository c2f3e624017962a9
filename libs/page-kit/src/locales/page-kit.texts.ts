import type en from '../../../../locales/en/page-kit.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/page-kit.json`. */
export const texts = new Catalogue<typeof en>('page-kit');
