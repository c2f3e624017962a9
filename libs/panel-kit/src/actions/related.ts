import { currency, type Language, localeOf, withMinus } from '#kernel';
import { PANEL_PATH } from '../request/panel-path.js';
import type { PanelProperty, PanelTone, PanelValue } from '../resource/panel-source.js';

/** One line of a list on a detail page; the component `Related` draws it. */
export type RelatedItem = {
  title: string;
  href?: string;
  /** The link leaves the panel and opens in a new tab. */
  isOutside?: boolean;
  /** After the title, in small letters. */
  details?: string;
  /** ISO 8601; shown in the venue's time zone. */
  at?: string;
  badge?: { text: string; tone: PanelTone };
};

/** The value of the component. */
export type RelatedView = { items: RelatedItem[]; add?: { href: string; label: string } };

/** Declares a list of other records on a detail page, with a link that creates one more or shows all. */
export const relatedProperty = (name: string): PanelProperty => ({
  name,
  type: 'mixed',
  editable: false,
  components: { show: 'Related' },
});

/** The value of a {@link relatedProperty}. */
export const related = (items: RelatedItem[], add?: RelatedView['add']): PanelValue =>
  ({ items, ...(add && { add }) }) satisfies RelatedView;

/** Formats an amount in euros for a language. */
export const euros = (amount: string, language: Language): string =>
  withMinus(new Intl.NumberFormat(localeOf(language), { style: 'currency', currency }).format(amount as `${number}`));

/** URL of a record's page. */
export const recordHref = (resource: string, id: string, action = 'show'): string =>
  `${PANEL_PATH}/resources/${resource}/records/${encodeURIComponent(id)}/${action}`;

/** URL of the PDF of a record's action. */
export const fileHref = (resource: string, id: string, action: string): string =>
  `${PANEL_PATH}/files/${resource}/${encodeURIComponent(id)}/${action}.pdf`;

/** URL of a list, filtered by these values. */
export const listHref = (resource: string, filters: Record<string, string>): string => {
  const query = Object.fromEntries(Object.entries(filters).map(([name, value]) => [`filters.${name}`, value]));
  return `${PANEL_PATH}/resources/${resource}?${new URLSearchParams(query).toString()}`;
};

/** URL of the form for a new record, with prefilled fields. */
export const newHref = (resource: string, fields: Record<string, string>): string => pageHref(resource, 'new', fields);

/** URL of a page of a resource that belongs to no record. */
export const pageHref = (resource: string, page: string, query: Record<string, string> = {}): string => {
  const search = new URLSearchParams(query).toString();
  return `${PANEL_PATH}/resources/${resource}/actions/${page}${search && `?${search}`}`;
};
