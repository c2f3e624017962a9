import type { PanelView } from '../resource/panel-source.js';
import type { ExtraColumns, PanelEntry } from '../resource/panel-entry.js';
import type { ResourceRights } from '../resource/resource-rights.js';
import { guardedSource } from './guarded-source.js';
import { withoutHidden } from './hidden-values.js';
import { currentGrant, mayNow } from './may.js';
import { withProofs } from './proofs.js';
import type { PanelRights } from './reachable.js';

/**
 * The resources as the signed-in person may use them.
 * @throws Error naming all that has no declared right, and rows of the table that nothing has
 */
export function guardedEntries(entries: readonly PanelEntry[], table: PanelRights): PanelEntry[] {
  const ids = new Set(entries.map(({ source }) => source.id));
  const faults = [
    ...entries.flatMap((entry) => undeclared(entry, table[entry.source.id])),
    ...Object.keys(table).flatMap((id) => (ids.has(id) ? [] : [`${id}: no such resource`])),
  ];
  if (faults.length > 0) throw new Error(`The rights of the panel are not complete:\n${faults.join('\n')}`);
  return entries.map((entry) => {
    const rights = table[entry.source.id]!;
    return guarded(withProofs({ ...entry, rights }, rights.proofs), table);
  });
}

/** What of a resource has no declared right, and what is declared but does not exist. */
function undeclared({ source, actions = {}, pages = {}, exports = [], hit, prints }: PanelEntry, rights?: ResourceRights): string[] {
  if (!rights) return [`${source.id}: no rights`];
  const { values = {}, actions: declared = {}, more = {} } = rights;
  const named = new Set(source.properties.map(({ name }) => name));
  const exported = exports.filter(({ type }) => type !== 'money').map(({ name }) => name);
  const columns = [...exported, ...(hit?.details ?? []), ...[hit?.at, hit?.state].filter((name) => name !== undefined)];
  const acts = [...Object.keys(actions), ...Object.keys(pages)];
  const faults = [
    ...acts.filter((name) => !Object.hasOwn(declared, name)).map((name) => `action ${name}`),
    ...Object.keys(declared).flatMap((name) => (acts.includes(name) ? [] : [`${name} is no action`])),
    ...Object.entries(more).flatMap(([name, { above }]) => (actions[name] && named.has(above) ? [] : [`more for ${name} fits nothing`])),
    ...source.properties.flatMap(({ name, type }) => (type === 'mixed' && !Object.hasOwn(values, name) ? [`value ${name}`] : [])),
    ...columns.filter((name) => !named.has(name) && !Object.hasOwn(values, name)).map((name) => `column ${name}`),
    ...(source.create && !rights.create ? ['create'] : []),
    ...(source.update && !rights.change ? ['change'] : []),
    ...(source.remove && !rights.remove ? ['remove'] : []),
    ...(prints && !rights.prints ? ['prints'] : []),
  ];
  return faults.map((fault) => `${source.id}: ${fault}`);
}

function guarded(entry: PanelEntry, table: PanelRights): PanelEntry {
  const { actions, pages, extraExports } = entry;
  const seen = (view: PanelView): PanelView => (entry.source.update ? view : withoutHidden(view, currentGrant()));
  return {
    ...entry,
    source: guardedSource(entry, table),
    ...(extraExports && {
      extraExports: async (rows): Promise<ExtraColumns> => (mayNow('contact.see') ? extraExports(rows) : { columns: [], cells: () => [] }),
    }),
    ...(actions && {
      actions: Object.fromEntries(
        Object.entries(actions).map(([name, action]) => [
          name,
          {
            ...action,
            ...(action.view && { view: async (...asked: Parameters<typeof action.view>) => seen(await action.view!(...asked)) }),
          },
        ]),
      ),
    }),
    ...(pages && {
      pages: Object.fromEntries(
        Object.entries(pages).map(([name, page]) => [
          name,
          { ...page, view: async (query: Parameters<typeof page.view>[0]) => seen(await page.view(query)) },
        ]),
      ),
    }),
  };
}
