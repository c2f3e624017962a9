import type en from '../../../../locales/en/webhooks.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/webhooks.json`. */
export const texts = new Catalogue<typeof en>('webhooks');
