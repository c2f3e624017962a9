import { isUuid } from '#kernel';
import { PanelFieldError } from './panel-source.js';
import type { PanelProperty, PanelRow, PanelValue } from './panel-source.js';

const DECIMAL = /^-?\d{1,12}(\.\d{1,6})?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Whether `id` is a well-formed identifier of this property; other values are treated as not found. */
export function isIdentifier(property: PanelProperty, id: unknown): id is string {
  const type = property.type === 'reference' ? (property.referenceType ?? 'uuid') : property.type;
  if (type === 'uuid') return isUuid(id);
  if (type === 'number') return /^\d{1,15}$/.test(String(id));
  return typeof id === 'string' && id.length > 0 && id.length <= 200 && !id.includes('\u0000');
}

/** Whether a text is a whole number that fits its column: ids are bigint, all others integer. */
export function isWhole(property: PanelProperty, text: string): boolean {
  if (!/^-?\d{1,15}$/.test(text)) return false;
  return property.isId === true || Math.abs(Number(text)) <= 2_147_483_647;
}

/** Years 1 to 9999, which JavaScript and PostgreSQL write alike. */
const firstInstant = Date.parse('0001-01-01T00:00:00Z');
const lastInstant = Date.parse('9999-12-31T00:00:00Z');

/** An ISO 8601 instant, or null when invalid; a day without time (`2026-11-20`) is midnight UTC. */
export function toInstant(value: unknown): string | null {
  const time = value instanceof Date ? value.getTime() : typeof value === 'string' ? Date.parse(value) : NaN;
  return time >= firstInstant && time <= lastInstant ? new Date(time).toISOString() : null;
}

/** A calendar day `YYYY-MM-DD`, or null when invalid. */
export function toDay(value: unknown): string | null {
  const instant = toInstant(value);
  if (instant === null) return null;
  return typeof value === 'string' && DAY.test(value.slice(0, 10)) ? value.slice(0, 10) : instant.slice(0, 10);
}

/** Internal: thrown by {@link toValue}; its message is a key of the panel's `messages`. */
class InvalidValue extends Error {}

const isEmpty = (raw: unknown): boolean => raw === undefined || raw === null || (typeof raw === 'string' && raw.trim() === '');

/** Converts a form's value to the property's type; an empty value is null. */
function toValue(property: PanelProperty, raw: unknown): PanelValue {
  if (property.type === 'boolean') return raw === true || raw === 'true' || raw === 'on';
  if (isEmpty(raw)) {
    if (property.required) throw new InvalidValue('fieldRequired');
    return null;
  }
  switch (property.type) {
    case 'number':
    case 'float': {
      const number = Number(raw);
      const fits = property.type === 'number' ? Number.isSafeInteger(number) : Number.isFinite(number);
      if (!fits) throw new InvalidValue('fieldNumber');
      return number;
    }
    case 'decimal': {
      const text = String(raw).replaceAll(/\s/g, '').replace(',', '.');
      if (!DECIMAL.test(text)) throw new InvalidValue('fieldDecimal');
      return text;
    }
    case 'datetime':
    case 'date': {
      const when = property.type === 'date' ? toDay(raw) : toInstant(raw);
      if (when === null) throw new InvalidValue('fieldDate');
      return when;
    }
    case 'uuid':
    case 'reference':
      if (!isIdentifier(property, raw)) throw new InvalidValue('fieldReference');
      return raw;
    case 'mixed':
      return JSON.parse(JSON.stringify(raw));
    default:
      return toText(property, raw);
  }
}

function toText(property: PanelProperty, raw: unknown): string {
  if (typeof raw !== 'string' && typeof raw !== 'number' && typeof raw !== 'boolean') throw new InvalidValue('fieldText');
  // Multipart forms encode line breaks as CR LF.
  const text = String(raw).replaceAll('\r\n', '\n');
  if (text.includes('\u0000')) throw new InvalidValue('fieldText');
  if (property.availableValues && !property.availableValues.includes(text)) throw new InvalidValue('fieldChoice');
  return property.type === 'textarea' || property.type === 'password' ? text : text.trim();
}

function toListOrValue(property: PanelProperty, raw: unknown): PanelValue {
  if (!property.isArray) return toValue(property, raw);
  const items = Array.isArray(raw) ? raw : isEmpty(raw) ? [] : [raw];
  return items.filter((item) => !isEmpty(item)).map((item) => toValue(property, item));
}

/**
 * The fields of a form as a row: only known, editable properties, converted to their types.
 * @param read reads a property from the submitted form; undefined when it was not sent
 * @param whole true for a new record: required properties that were not sent are then errors too
 * @throws PanelFieldError with all errors at once
 */
export function readForm(properties: readonly PanelProperty[], read: (name: string) => unknown, whole: boolean): PanelRow {
  const row: PanelRow = {};
  const faults: Record<string, { message: string }> = {};
  for (const property of properties) {
    if (!isEditable(property)) continue;
    const raw = read(property.name);
    if (raw === undefined && !(whole && property.required)) continue;
    try {
      row[property.name] = toListOrValue(property, raw);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      faults[property.name] = { message: error.message };
    }
  }
  if (Object.keys(faults).length > 0) throw new PanelFieldError(faults);
  return row;
}

/** Whether forms may change this property. */
export const isEditable = (property: PanelProperty): boolean => property.editable ?? !property.isId;

/** Whether lists can be sorted by this property. */
export const isSortable = (property: PanelProperty): boolean =>
  property.sortable ?? !['mixed', 'textarea', 'password'].includes(property.type);

/** Whether lists can be filtered by this property. */
export const isFilterable = (property: PanelProperty): boolean =>
  property.filterable ?? !['mixed', 'textarea', 'password'].includes(property.type);
