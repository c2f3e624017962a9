import type en from '../../../../locales/en/payments.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/payments.json`. */
export const texts = new Catalogue<typeof en>('payments');
