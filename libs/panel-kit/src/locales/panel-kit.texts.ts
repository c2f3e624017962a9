import type en from '../../../../locales/en/panel-kit.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/panel-kit.json`. */
export const texts = new Catalogue<typeof en>('panel-kit');
