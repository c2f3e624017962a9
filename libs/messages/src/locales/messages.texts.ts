import type en from '../../../../locales/en/messages.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/messages.json`. */
export const texts = new Catalogue<typeof en>('messages');
