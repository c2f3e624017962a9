import type en from '../../../../locales/en/api-document.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/api-document.json`. */
export const texts = new Catalogue<typeof en>('api-document');
