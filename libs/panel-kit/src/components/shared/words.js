/** A value as the key of its label: translations keep dots and colons for themselves. */
export const wordKey = (value) => String(value).replaceAll(/[.:]/g, '_');
