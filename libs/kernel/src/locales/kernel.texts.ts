import type en from '../../../../locales/en/kernel.json';
import { Catalogue } from './catalogue.js';

/** Texts of this lib: `locales/<language>/kernel.json`. */
export const texts = new Catalogue<typeof en>('kernel');
