import type en from '../../../../locales/en/scan.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/scan.json`. */
export const texts = new Catalogue<typeof en>('scan');
