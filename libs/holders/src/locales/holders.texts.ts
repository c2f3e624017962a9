import type en from '../../../../locales/en/holders.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/holders.json`. */
export const texts = new Catalogue<typeof en>('holders');
