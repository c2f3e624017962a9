import type { Language } from '#kernel';
import { PANEL_PATH } from '../request/panel-path.js';
import type { PanelProperty, PanelTone, PanelValue } from '../resource/panel-source.js';

/** One line of a list on a detail page; drawn by the component `Related`. */
export type RelatedItem = {
  title: string;
  href?: string;
  /** Behind the title, in small letters. */
  details?: string;
  /** ISO 8601; shown on the place's clock. */
  at?: string;
  badge?: { text: string; tone: PanelTone };
};

/** A list of other records on a detail page, with a link to make one more, or to see them all. */
export const relatedProperty = (name: string): PanelProperty => ({
  name,
  type: 'mixed',
  editable: false,
  components: { show: 'Related' },
});

/** The value of a {@link relatedProperty}. */
export const related = (items: RelatedItem[], add?: { href: string; label: string }): PanelValue => ({
  items,
  ...(add && { add }),
});

/** An amount as the language writes it. */
export const euros = (amount: string, language: Language): string =>
  language === 'fr' ? `${amount.replace('.', ',')}\u00a0€` : `€${amount}`;

/** Where a record's page is. */
export const recordHref = (resource: string, id: string, action = 'show'): string =>
  `${PANEL_PATH}/resources/${resource}/records/${encodeURIComponent(id)}/${action}`;

/** Where the PDF of an action of a record is. */
export const fileHref = (resource: string, id: string, action: string): string =>
  `${PANEL_PATH}/files/${resource}/${encodeURIComponent(id)}/${action}.pdf`;

/** Where a list is, narrowed to what has these values. */
export const listHref = (resource: string, filters: Record<string, string>): string => {
  const query = Object.fromEntries(Object.entries(filters).map(([name, value]) => [`filters.${name}`, value]));
  return `${PANEL_PATH}/resources/${resource}?${new URLSearchParams(query).toString()}`;
};

/** Where the form for a new record is, with fields filled in. */
export const newHref = (resource: string, fields: Record<string, string>): string =>
  `${PANEL_PATH}/resources/${resource}/actions/new?${new URLSearchParams(fields).toString()}`;
