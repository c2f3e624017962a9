import { describe, expect, it } from '@jest/globals';
import { toPanelFilter } from './panel-filter.js';
import { PanelFieldError } from './panel-source.js';
import type { PanelProperty } from './panel-source.js';
import { readForm } from './panel-values.js';

const UUID = '0b0e7a3c-6a8e-4f5e-9d0c-1f2e3d4c5b6a';
const properties: PanelProperty[] = [
  { name: 'id', type: 'uuid', isId: true },
  { name: 'name', type: 'string', required: true },
  { name: 'amount', type: 'decimal' },
  { name: 'stock', type: 'number' },
  { name: 'open', type: 'boolean' },
  { name: 'starts', type: 'datetime' },
  { name: 'state', type: 'string', availableValues: ['on', 'off'] },
  { name: 'event', type: 'reference', reference: 'events' },
  { name: 'notes', type: 'textarea' },
  { name: 'seen', type: 'datetime', editable: false },
];
const read = (values: Record<string, unknown>, whole = false) => readForm(properties, (name) => values[name], whole);
const faults = (work: () => unknown): Record<string, string> => {
  try {
    work();
    return {};
  } catch (error) {
    if (!(error instanceof PanelFieldError)) throw error;
    return Object.fromEntries(Object.entries(error.fields).map(([name, { message }]) => [name, message]));
  }
};

describe('a form of the panel', () => {
  it('stores an empty number as null, not as zero', () => {
    expect(read({ stock: '', amount: '' })).toEqual({ stock: null, amount: null });
    expect(read({ stock: '0' })).toEqual({ stock: 0 });
  });
  it('stores money as decimal text and accepts a comma', () => {
    expect(read({ amount: '1 012,50' })).toEqual({ amount: '1012.50' });
  });
  it('ignores unknown and read-only fields and the identifier', () => {
    expect(read({ id: UUID, seen: '2026-01-01', other: 1, name: ' Bar ' })).toEqual({ name: 'Bar' });
  });
  it('ends lines of a long text with LF', () => {
    expect(read({ notes: 'a\r\nb' })).toEqual({ notes: 'a\nb' });
  });
  it('lists every fault', () => {
    const bad = { name: ' ', amount: '12.5.0', stock: '1.5', starts: 'soon', state: 'maybe', event: 'x' };
    expect(faults(() => read(bad))).toEqual({
      name: 'fieldRequired',
      amount: 'fieldDecimal',
      stock: 'fieldNumber',
      starts: 'fieldDate',
      state: 'fieldChoice',
      event: 'fieldReference',
    });
  });
  it('requires mandatory fields of a new record, and only sent fields of a changed one', () => {
    expect(faults(() => read({}, true))).toEqual({ name: 'fieldRequired' });
    expect(read({})).toEqual({});
  });
});

const filter = (values: Record<string, unknown>) =>
  toPanelFilter(properties, {
    filters: Object.fromEntries(Object.entries(values).map(([path, value]) => [path, { path, value }])),
  });

describe('a filter of the panel', () => {
  it('finds parts of texts, and complete values of everything else', () => {
    expect(filter({ name: 'ba', state: 'on', open: 'true', event: UUID, stock: '3' })).toEqual({
      name: { kind: 'contains', text: 'ba' },
      state: { kind: 'equals', value: 'on' },
      open: { kind: 'equals', value: true },
      event: { kind: 'equals', value: UUID },
      stock: { kind: 'equals', value: 3 },
    });
  });
  it('includes the whole day in an upper bound', () => {
    expect(filter({ starts: { from: '2026-11-20', to: '2026-11-20' } })).toEqual({
      starts: { kind: 'between', from: '2026-11-20T00:00:00.000Z', to: '2026-11-20T23:59:59.999Z' },
    });
  });
  it('ignores unknown keys and empty values', () => {
    expect(filter({ nope: 'x', name: '', notes: 'x', starts: { from: 'soon' } })).toEqual({});
  });
  it('matches nothing for impossible values, so that they never reach a query', () => {
    expect(filter({ event: 'not-a-uuid' })).toBeNull();
    expect(filter({ state: 'maybe' })).toBeNull();
    expect(filter({ name: 'a\u0000' })).toBeNull();
  });
});
