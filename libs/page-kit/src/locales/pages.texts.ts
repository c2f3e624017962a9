import type en from '../../../../locales/en/pages.json';
import { Catalogue } from '#kernel';

/** Texts of the public pages: `locales/<language>/pages.json`. */
export const pageTexts = new Catalogue<typeof en>('pages');
