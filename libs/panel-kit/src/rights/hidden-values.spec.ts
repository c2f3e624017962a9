import { describe, expect, it } from '@jest/globals';
import { fullGrant, presets, type Grant } from '#tenancy';
import type { PanelEntry } from '../resource/panel-entry.js';
import type { PanelSource } from '../resource/panel-source.js';
import { isHidden, shownRow, withoutHidden } from './hidden-values.js';
import { withProofs } from './proofs.js';

const door: Grant = { role: 'doorManager', levels: presets.doorManager, scope: { kind: 'all' } };
const source = {
  id: 'bookings',
  properties: [
    { name: 'id', type: 'uuid', isId: true },
    { name: 'name', type: 'string', isTitle: true },
    { name: 'email', type: 'email' },
    { name: 'total', type: 'decimal' },
    { name: 'others', type: 'mixed' },
  ],
} as unknown as PanelSource;
const entry = { source, rights: { see: 'ticket.see', values: { others: 'see' }, wide: ['others'], event: 'eventId' } as const };

describe('hidden values', () => {
  it.each([
    ['Ada ada@example.org', 'Ada …'],
    ['ada@example.org · Full', '… · Full'],
    ['Ada (ada@example.org) → Bob', 'Ada (…) → Bob'],
    ['Full · €18.00', 'Full · …'],
    ['Plein · 18,00 €', 'Plein · …'],
    ['1\u202f234,50\u00a0€ et 2 €', '… et …'],
    ['Row 7, 18:00', 'Row 7, 18:00'],
  ])('are replaced in %s', (text, shown) => {
    expect(withoutHidden({ lines: [{ text }] }, door)).toEqual({ lines: [{ text: shown }] });
    expect(withoutHidden(text, fullGrant)).toBe(text);
  });

  it('are found by the type of the value, and what is not known is hidden', () => {
    const row = { id: '1', name: 'Ada', email: 'a@b.c', total: '18.00', unknown: 'x', eventId: '2', others: [] };
    expect(shownRow(entry, row, door)).toEqual({ id: '1', name: 'Ada', eventId: '2', others: [] });
    expect(shownRow(entry, row, fullGrant)).toBe(row);
    expect(isHidden(entry, 'others', { ...door, scope: { kind: 'events', eventIds: ['2'] } })).toBe(true);
  });

  it('are in no file that asks for no proof: the application does not start', () => {
    const exporting = { source, exports: [{ name: 'email', type: 'text' }] } as unknown as PanelEntry;
    for (const proofs of [undefined, {}])
      expect(() => withProofs(exporting, proofs)).toThrow('bookings: files of the list ask for no proof');
    expect(() => withProofs({ source, prints: {} } as unknown as PanelEntry, undefined)).toThrow('ask for no proof');
    expect(withProofs(exporting, { exports: 'always' }).proofs).toEqual({ exports: 'always' });
    expect(withProofs({ source, exports: [{ name: 'name', type: 'text' }] } as unknown as PanelEntry, undefined).proofs).toBeUndefined();
  });
});
