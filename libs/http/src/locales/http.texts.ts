import type en from '../../../../locales/en/http.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/http.json`. */
export const texts = new Catalogue<typeof en>('http');
