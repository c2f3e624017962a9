import type { Grant } from '#tenancy';
import type { PanelEntry } from '../resource/panel-entry.js';
import type { PanelRow, PanelView } from '../resource/panel-source.js';
import type { Needs } from '../resource/resource-rights.js';
import { hasAll, mayNow } from './may.js';

type Described = Pick<PanelEntry, 'rights' | 'source' | 'exports'>;

/** What a value needs; `see`: no more than its row. */
export function needsOf({ rights, source, exports = [] }: Described, name: string): Needs | 'see' {
  const { values = {}, event } = rights ?? {};
  const declared = Object.hasOwn(values, name) ? values[name] : undefined;
  if (declared !== undefined) return declared;
  const property = source.properties.find((candidate) => candidate.name === name);
  const isAmount = property?.type === 'decimal' || exports.some((column) => column.name === name && column.type === 'money');
  if (isAmount) return 'money.see';
  if (property?.type === 'email') return 'contact.see';
  return property || name === event || name === 'own' ? 'see' : ['money.see', 'contact.see'];
}

/** Whether the values of this name are hidden from a person. */
export function isHidden(entry: Described, name: string, grant: Grant): boolean {
  if (hasAll(grant)) return false;
  if (grant.scope.kind !== 'all' && isOfOthers(entry, name)) return true;
  const needs = needsOf(entry, name);
  return needs !== 'see' && !mayNow(needs, grant);
}

/** Whether a value may tell of events that are not chosen. */
function isOfOthers({ rights, source }: Described, name: string): boolean {
  if (rights?.wide?.includes(name)) return true;
  return rights?.event === 'all' && source.properties.some((property) => property.name === name && property.type === 'mixed');
}

const address = /[^\s@<>()[\],;:"·→]+@[^\s@<>()[\],;:"·→]+/gu;
const amount = /[-−]?€\s?\d[\d.,'’\u00a0\u202f]*|\d[\d.,'’\u00a0\u202f]*\s?€/gu;

/**
 * A value without addresses and amounts in its texts: names fall back to addresses, and lines of lists contain amounts. Only for what no
 * form sends back.
 */
export function withoutHidden(value: PanelView, grant: Grant): PanelView {
  const hides = [...(mayNow('contact.see', grant) ? [] : [address]), ...(mayNow('money.see', grant) ? [] : [amount])];
  return hides.length === 0 ? value : replaced(value, hides);
}

function replaced(value: PanelView, hides: readonly RegExp[]): PanelView {
  if (typeof value === 'string') return hides.reduce((text, pattern) => text.replace(pattern, '…'), value);
  if (Array.isArray(value)) return value.map((item) => replaced(item, hides));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, replaced(inner, hides)]));
}

/** A row as a person may see it. */
export function shownRow(entry: Described, row: PanelRow, grant: Grant): PanelRow {
  if (hasAll(grant)) return row;
  const shown = Object.fromEntries(Object.entries(row).filter(([name]) => !isHidden(entry, name, grant)));
  return entry.source.update ? shown : (withoutHidden(shown, grant) as PanelRow);
}
