import type { Grant } from '#tenancy';
import type { RelatedItem, RelatedView } from '../actions/related.js';
import { PANEL_PATH } from '../request/panel-path.js';
import type { PanelEntry } from '../resource/panel-entry.js';
import type { PanelRow } from '../resource/panel-source.js';
import type { ResourceRights } from '../resource/resource-rights.js';
import { hasAll, mayPerform } from './may.js';

/** Rights by the id of the resource. */
export type PanelRights = Readonly<Record<string, ResourceRights>>;

const ofRecord = new RegExp(`^${PANEL_PATH}/(?:resources/([^/]+)/records|files/([^/]+))/[^/]+/([^/]+?)(?:\\.pdf)?$`);
const ofResource = new RegExp(`^${PANEL_PATH}/resources/([^/]+)(?:/actions/([^/]+))?$`);

/** Whether a person may open a link. Links to other places than resources are not judged. */
export function mayFollow(href: string, table: PanelRights, grant: Grant): boolean {
  const path = href.replace(/[?#].*$/, '');
  const [, inRecords, inFiles, act] = ofRecord.exec(path) ?? [];
  const [, list, page = 'list'] = ofResource.exec(path) ?? [];
  const rights = table[inRecords ?? inFiles ?? list ?? ''];
  return rights === undefined || mayPerform({ rights }, act ?? page, grant);
}

/** A row whose lists of other records lead only to what the person may open. */
export function withoutDeadLinks({ source }: Pick<PanelEntry, 'source'>, row: PanelRow, table: PanelRights, grant: Grant): PanelRow {
  if (hasAll(grant)) return row;
  const lists = source.properties.filter(({ name, components }) => components?.show === 'Related' && row[name]);
  const isOpen = ({ href }: { href?: string }): boolean => href === undefined || mayFollow(href, table, grant);
  const open = ({ items, add }: RelatedView): RelatedView => ({
    items: items.map(({ href, ...item }): RelatedItem => (href !== undefined && isOpen({ href }) ? { ...item, href } : item)),
    ...(add && isOpen(add) && { add }),
  });
  return { ...row, ...Object.fromEntries(lists.map(({ name }) => [name, open(row[name] as RelatedView)])) };
}
