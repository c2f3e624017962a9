import type en from '../../../../locales/en/notices.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/notices.json`. */
export const texts = new Catalogue<typeof en>('notices');
