import type { PropertyJSON } from 'adminjs';

/** The values of an enumeration. */
export const valuesOf = ({ availableValues }: PropertyJSON): string[] => (availableValues ?? []).map(({ value }) => String(value));

/** A value as the key of its label: i18next uses dots and colons as separators. */
export const wordKey = (value: unknown): string => String(value).replaceAll(/[.:]/g, '_');
