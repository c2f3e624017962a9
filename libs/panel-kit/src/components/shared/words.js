/** A value as the key of its label: i18next uses dots and colons as separators. */
export const wordKey = (value) => String(value).replaceAll(/[.:]/g, '_');
