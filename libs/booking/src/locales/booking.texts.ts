import type en from '../../../../locales/en/booking.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/booking.json`. */
export const texts = new Catalogue<typeof en>('booking');
