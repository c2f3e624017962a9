import { expect, it } from '@jest/globals';
import { fullGrant, presets, type Grant } from '#tenancy';
import { relatedProperty, related } from '../actions/related.js';
import type { PanelSource } from '../resource/panel-source.js';
import { mayFollow, withoutDeadLinks } from './reachable.js';

const table = {
  products: { see: 'product.see', actions: { questions: 'product.change' } },
  prices: { see: 'product.see', create: 'product.change' },
  tickets: { see: 'ticket.see', actions: { pdf: 'ticket.change' } },
} as const;
const grant: Grant = { role: 'readOnly', levels: presets.readOnly, scope: { kind: 'all' } };

it.each([
  ['/admin/resources/products', true],
  ['/admin/resources/products?filters.name=a', true],
  ['/admin/resources/products/records/a%20b/show', true],
  ['/admin/resources/products/records/1/questions', false],
  ['/admin/resources/products/records/1/unknown', false],
  ['/admin/resources/prices/actions/new?productId=1', false],
  ['/admin/files/tickets/1/pdf.pdf', false],
  ['/event/soup', true],
])('a reader may follow %s: %s', (href, expected) => {
  expect(mayFollow(href, table, grant)).toBe(expected);
  expect(mayFollow(href, table, fullGrant)).toBe(true);
});

it('leaves out the links of lists that lead to a refusal', () => {
  const source = { properties: [relatedProperty('prices')] } as unknown as PanelSource;
  const price = { title: 'Full', href: '/admin/resources/prices/records/1/show' };
  const edit = { title: 'Half', href: '/admin/resources/prices/records/1/edit', details: '€9' };
  const row = { id: '1', prices: related([price, edit], { href: '/admin/resources/prices/actions/new', label: 'Add' }) };
  expect(withoutDeadLinks({ source }, row, table, grant)).toEqual({
    id: '1',
    prices: { items: [price, { title: 'Half', details: '€9' }] },
  });
  expect(withoutDeadLinks({ source }, row, table, fullGrant)).toBe(row);
});
