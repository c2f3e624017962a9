import type en from '../../../../locales/en/semantic-v2.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/semantic-v2.json`. */
export const texts = new Catalogue<typeof en>('semantic-v2');
