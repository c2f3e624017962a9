import type en from '../../../../locales/en/transfers.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/transfers.json`. */
export const texts = new Catalogue<typeof en>('transfers');
