import type en from '../../../../locales/en/memberships.json';
import { Catalogue } from '#kernel';

/** Texts of this lib: `locales/<language>/memberships.json`. */
export const texts = new Catalogue<typeof en>('memberships');
