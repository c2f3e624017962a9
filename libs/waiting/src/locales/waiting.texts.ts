import type en from '../../../../locales/en/waiting.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/waiting.json`. */
export const texts = new Catalogue<typeof en>('waiting');
