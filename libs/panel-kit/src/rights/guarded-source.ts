import { folded, type SearchWord } from '#kernel';
import { grantAllows, type Grant } from '#tenancy';
import type { PanelEntry } from '../resource/panel-entry.js';
import { PanelFieldError, type PanelFilter, type PanelRow, type PanelSource } from '../resource/panel-source.js';
import { isHidden, needsOf, shownRow } from './hidden-values.js';
import { currentGrant, hasAll, mayNow, mayPerform } from './may.js';
import { withoutDeadLinks, type PanelRights } from './reachable.js';

/** Rows that a search reads when some are left out afterwards. */
const mostSearched = 200;

/**
 * The source of a resource as the signed-in person may use it: rows of other events do not exist, hidden values are in no row, are no
 * filter and no order, and are not written.
 * @param table the rights of all resources: lists of other records lead only to what the person may open
 */
export function guardedSource(entry: PanelEntry, table: PanelRights): PanelSource {
  const { source, rights } = entry;
  const { find, count, sum, sumParts, search, create, update, remove } = source;
  const column = rights?.event === 'all' ? undefined : rights?.event;

  const isOurs = (row: PanelRow, grant: Grant): boolean =>
    column === undefined || grant.scope.kind === 'all' || grantAllows(grant, [rights!.see].flat()[0]!, String(row[column] ?? ''));
  const shown = (rows: readonly PanelRow[], grant: Grant): PanelRow[] =>
    rows.filter((row) => isOurs(row, grant)).map((row) => withoutDeadLinks(entry, shownRow(entry, row, grant), table, grant));
  const hides = (name: string, grant: Grant): boolean => isHidden(entry, name, grant);
  /** Rows have addresses that the person may not see: a text that is looked for in them would guess one letter by letter. */
  const guards = (grant: Grant): boolean =>
    !mayNow('contact.see', grant) && source.properties.some(({ name }) => [needsOf(entry, name)].flat().includes('contact.see'));
  /** The filter within the person's events; undefined: no row can match. */
  const narrowed = (filter: PanelFilter, grant: Grant): PanelFilter | undefined => {
    if (Object.keys(filter).some((name) => hides(name, grant))) return undefined;
    if (guards(grant) && Object.values(filter).some(({ kind }) => kind === 'contains')) return undefined;
    const { scope } = grant;
    if (column === undefined || scope.kind === 'all') return filter;
    if (scope.kind !== 'events') return undefined;
    const wanted = filter[column];
    const values = scope.eventIds.filter((id) => wanted?.kind !== 'equals' || wanted.value === id);
    return values.length > 0 ? { ...filter, [column]: { kind: 'among', values } } : undefined;
  };
  const writable = (values: PanelRow, grant: Grant): PanelRow => {
    if (column !== undefined && values[column] !== undefined && !isOurs(values, grant)) throw new PanelFieldError({}, 'error404Record');
    return Object.fromEntries(Object.entries(values).filter(([name]) => !hides(name, grant)));
  };
  const findOne = async (id: string): Promise<PanelRow | null> => {
    const grant = currentGrant();
    const row = mayPerform(entry, 'show', grant) ? await source.findOne(id) : null;
    return row ? (shown([row], grant)[0] ?? null) : null;
  };

  return {
    ...source,
    properties: source.properties.map((property) => ({
      ...property,
      ...(property.suggest && { suggest: async () => (hides(property.name, currentGrant()) ? [] : property.suggest!()) }),
      inForms: () => !hides(property.name, currentGrant()) && (property.inForms?.() ?? true),
      isShown: () => !hides(property.name, currentGrant()) && (property.isShown?.() ?? true),
    })),
    find: async (query) => {
      const grant = currentGrant();
      const filter = mayPerform(entry, 'list', grant) ? narrowed(query.filter, grant) : undefined;
      if (!filter) return [];
      const sort = query.sort && hides(query.sort.by, grant) ? null : query.sort;
      return shown(await find({ ...query, filter, sort }), grant);
    },
    count: async (asked) => {
      const grant = currentGrant();
      const filter = mayPerform(entry, 'list', grant) ? narrowed(asked, grant) : undefined;
      return filter ? count(filter) : 0;
    },
    ...(sum && {
      sum: async (asked) => {
        const filter = narrowed(asked, currentGrant());
        return filter && mayPerform(entry, 'sums', currentGrant()) ? sum(filter) : '0.00';
      },
    }),
    ...(sumParts && {
      sumParts: async (asked) => {
        const filter = narrowed(asked, currentGrant());
        return filter && mayPerform(entry, 'sums', currentGrant()) ? sumParts(filter) : [];
      },
    }),
    ...(search && {
      search: async (query) => {
        const grant = currentGrant();
        const { scope } = grant;
        if (!mayPerform(entry, 'list', grant)) return [];
        const values = scope.kind === 'events' ? scope.eventIds : [];
        const narrowing = column !== undefined && scope.kind !== 'all' && { columns: [...query.columns, column], only: { column, values } };
        const isGuarded = guards(grant);
        const rows = await search({ ...query, ...narrowing, limit: isGuarded ? mostSearched : query.limit });
        const found = shown(rows, grant);
        return (isGuarded ? found.filter((row) => hasWords(row, query.words)) : found).slice(0, query.limit);
      },
    }),
    findOne,
    findMany: async (ids) => {
      const grant = currentGrant();
      if (hasAll(grant) || mayPerform(entry, 'show', grant)) return shown(await source.findMany(ids), grant);
      // Records of other resources refer to these.
      const names = source.properties.filter(({ isId, isTitle }) => isId || (isTitle && rights?.isNamed)).map(({ name }) => name);
      const rows = await source.findMany(ids);
      const ours = rows.filter((row) => isOurs(row, grant) && (grant.scope.kind === 'all' || column !== undefined));
      return ours.map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
    },
    ...(create && { create: (values) => create(writable(values, currentGrant())) }),
    ...(update && {
      update: async (id, values) => {
        const grant = currentGrant();
        if (!hasAll(grant) && !(await findOne(id))) return null;
        const row = await update(id, writable(values, grant));
        return row && (shown([row], grant)[0] ?? null);
      },
    }),
    ...(remove && {
      remove: async (id) => {
        if (!hasAll(currentGrant()) && !(await findOne(id))) throw new PanelFieldError({}, 'error404Record');
        return remove(id);
      },
    }),
  };
}

/** Whether the texts of a row contain every word, or its id begins with it: a record must not be found by what is hidden of it. */
function hasWords(row: PanelRow, words: readonly SearchWord[]): boolean {
  const text = folded(
    Object.values(row)
      .filter((value) => typeof value === 'string')
      .join('\n'),
  );
  const id = String(row['id'] ?? '');
  return words.every(({ within, ids }) => {
    const word = within.slice(1, -1).replaceAll(/\\(.)/g, '$1');
    return text.includes(word) || (ids !== undefined && id >= ids[0] && id <= ids[1]);
  });
}
