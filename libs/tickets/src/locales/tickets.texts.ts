import type en from '../../../../locales/en/tickets.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/tickets.json`. */
export const texts = new Catalogue<typeof en>('tickets');
