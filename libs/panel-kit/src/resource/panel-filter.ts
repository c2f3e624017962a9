import type { PanelCondition, PanelFilter, PanelProperty } from './panel-source.js';
import { isFilterable, isIdentifier, isWhole, toInstant } from './panel-values.js';

/** The part of AdminJS's filter that we read. */
export interface RawFilter {
  filters?: Record<string, { path: string; value: unknown } | undefined>;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day without time covers the whole day: as an upper bound it ends just before the next day. */
function bound(value: unknown, end: boolean): string | undefined {
  const instant = toInstant(value);
  if (instant === null) return undefined;
  if (!end || typeof value !== 'string' || !DAY.test(value)) return instant;
  return new Date(Date.parse(instant) + 86_400_000 - 1).toISOString();
}

function between(value: unknown): PanelCondition | null {
  if (typeof value !== 'object' || value === null) return null;
  const { from, to } = value as { from?: unknown; to?: unknown };
  const condition: PanelCondition = { kind: 'between' };
  const start = bound(from, false);
  const end = bound(to, true);
  if (start) condition.from = start;
  if (end) condition.to = end;
  return start || end ? condition : null;
}

/**
 * Converts one condition. Null when the field is empty, `nothing` when no record can match (a malformed UUID, a value that the enumeration
 * does not have), so that no invalid value reaches a query.
 */
function condition(property: PanelProperty, value: unknown): PanelCondition | null | 'nothing' {
  if (property.type === 'date' || property.type === 'datetime') return between(value);
  if (typeof value !== 'string' && typeof value !== 'boolean' && typeof value !== 'number') return null;
  const text = String(value).trim();
  if (text === '') return null;
  if (text.includes('\u0000')) return 'nothing';
  switch (property.type) {
    case 'boolean':
      return text === 'true' || text === 'false' ? { kind: 'equals', value: text === 'true' } : 'nothing';
    case 'number':
      return isWhole(property, text) ? { kind: 'equals', value: Number(text) } : 'nothing';
    case 'float':
      return Number.isFinite(Number(text)) ? { kind: 'equals', value: Number(text) } : 'nothing';
    case 'decimal': {
      const decimal = text.replace(',', '.');
      return /^-?\d{1,12}(\.\d{1,6})?$/.test(decimal) ? { kind: 'equals', value: decimal } : 'nothing';
    }
    case 'uuid':
    case 'reference':
      return isIdentifier(property, text) ? { kind: 'equals', value: text } : 'nothing';
    default:
      if (!property.availableValues) return { kind: 'contains', text: text.slice(0, 200) };
      return property.availableValues.includes(text) ? { kind: 'equals', value: text } : 'nothing';
  }
}

/**
 * Converts AdminJS's filter. Ignores unknown and unfilterable keys.
 * @returns null when no record can match, so that the query can be skipped
 */
export function toPanelFilter(properties: readonly PanelProperty[], raw: RawFilter | undefined): PanelFilter | null {
  const filter: PanelFilter = {};
  for (const element of Object.values(raw?.filters ?? {})) {
    if (!element) continue;
    const property = properties.find(({ name }) => name === element.path);
    if (!property || !isFilterable(property)) continue;
    const found = condition(property, element.value);
    if (found === 'nothing') return null;
    if (found) filter[property.name] = found;
  }
  return filter;
}
