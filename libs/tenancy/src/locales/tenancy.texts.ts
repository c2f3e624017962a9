import type en from '../../../../locales/en/tenancy.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/tenancy.json`. */
export const texts = new Catalogue<typeof en>('tenancy');
