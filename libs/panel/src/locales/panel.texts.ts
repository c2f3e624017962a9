import type en from '../../../../locales/en/panel.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/panel.json`. */
export const texts = new Catalogue<typeof en>('panel');
