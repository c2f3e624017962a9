import type { PanelValue } from '../resource/panel-source.js';

/** A form's text; nothing becomes an empty one, which the services refuse by name. */
export const textOf = (value: PanelValue | undefined): string => (typeof value === 'string' ? value : '');

/** A form's check box. */
export const isChecked = (value: PanelValue | undefined): boolean => value === true || value === 'true';
