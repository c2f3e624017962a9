import type { PanelValue } from '../resource/panel-source.js';

/** A form's text; an absent value becomes an empty text, for which the services report an error on the field. */
export const textOf = (value: PanelValue | undefined): string => (typeof value === 'string' ? value : '');

/** The state of a checkbox. */
export const isChecked = (value: PanelValue | undefined): boolean => value === true || value === 'true';
