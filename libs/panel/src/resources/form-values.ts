import type { PanelValue } from '../panel-source.js';

/** A form's text; nothing becomes an empty one, which the services refuse by name. */
export const textOf = (value: PanelValue | undefined): string => (typeof value === 'string' ? value : '');
