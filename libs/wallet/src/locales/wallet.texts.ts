import type en from '../../../../locales/en/wallet.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/wallet.json`. */
export const texts = new Catalogue<typeof en>('wallet');
