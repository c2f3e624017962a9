import type en from '../../../../locales/en/legacy-api.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/legacy-api.json`. */
export const texts = new Catalogue<typeof en>('legacy-api');
