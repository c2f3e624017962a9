import type en from '../../../../locales/en/places.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/places.json`. */
export const texts = new Catalogue<typeof en>('places');
