import type en from '../../../../locales/en/selling.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/selling.json`. */
export const texts = new Catalogue<typeof en>('selling');
