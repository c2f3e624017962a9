import type { EventCategory } from '#catalogue';
import { foldedColumnSql, searchWords } from '#kernel';
import { liveTenantSql } from '#tenancy';

/** Filter for the events of an agenda. */
export interface AgendaFilter {
  /** Excludes events that were over before; those that run at that time come first. Events without an end last as long as is assumed. */
  readonly since: Date;
  /** Excludes events that ended until then. Events without an end belong to their start alone. */
  readonly from?: Date;
  /** Excludes events that start then or later. */
  readonly until?: Date;
  /** Only events that start then or later: the next page. */
  readonly after?: Date;
  /** The slug of the sending tenant. */
  readonly place?: string;
  /** A tag's key. */
  readonly tag?: string;
  readonly category?: EventCategory;
  /** Words that name, short description, place, tags or the sender's name must contain, ignoring case and accents. */
  readonly text?: string;
  /** Only events with free admission, among those of one place: events of others come without prices. */
  readonly free?: boolean;
}

/** The agenda of a network, or the events of its networks that a tenant shows on its own agenda. */
export type AgendaSource = 'network' | 'gathered';

/** Few events last longer than this; they have their own index. The expression must equal the one in the index. */
const long = `over_at - starts_at > interval '48 hours'`;
const longMs = 48 * 3_600_000;

const sources: Readonly<Record<AgendaSource, { readonly from: string; readonly only: string }>> = {
  network: { from: '(select $1::uuid as network_id) n', only: 'true' },
  gathered: {
    from: `(select network_id, shown_tags from shared.network_member where tenant_id = $1 and state = 'accepted' and shows_others) n`,
    only: '(n.shown_tags = $2 or f.tag_keys && n.shown_tags) and f.tenant_id <> $1',
  },
};

/** Folds each sender's name once, not once per event. */
const namedSql = `with named as materialized (select id, slug, state, ${foldedColumnSql('name')} as folded_name from shared.tenant)
  `;

export interface AgendaStatement {
  /** Name of the prepared statement; the same name always has the same text. */
  readonly name: string;
  /** Selects the keys of at most `limit` events after skipping `skip`, by start. */
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The keys of a page of an agenda: the first part scans the index of the starts from the first possible event up to the limit, so its
 * cost does not depend on the number of other events.
 * @param ownerId the network, or the tenant that shows events of others
 */
export function agendaKeys(
  source: AgendaSource,
  ownerId: string,
  filter: AgendaFilter,
  page: { readonly limit: number; readonly skip?: number },
): AgendaStatement {
  const values: unknown[] = [ownerId];
  const value = (given: unknown): string => `$${values.push(given)}`;
  const { from, only } = sources[source];
  if (source === 'gathered') values.push([]);
  const since = value(filter.since);
  const first = Math.max(filter.since.getTime(), filter.from?.getTime() ?? 0);
  const recent = value(new Date(Math.max(first - longMs, filter.after?.getTime() ?? 0)));
  const most = value(page.limit + (page.skip ?? 0));
  const conditions = [only, liveTenantSql('t'), `f.over_at >= ${since}`];
  const add = (name: keyof AgendaFilter, condition: (parameter: string) => string): void => {
    if (filter[name] !== undefined) conditions.push(condition(value(given(filter, name))));
  };
  add('from', (parameter) => `(f.starts_at >= ${parameter} or f.ends_at > ${parameter})`);
  add('until', (parameter) => `f.starts_at < ${parameter}`);
  add('place', (parameter) => `t.slug = ${parameter}`);
  add('tag', (parameter) => `f.tag_keys @> array[${parameter}]`);
  add('category', (parameter) => `f.category = ${parameter}`);
  add('text', (parameter) => `(f.search_text || E'\\n' || t.folded_name) like all (${parameter}::text[])`);
  const tenants = filter.text === undefined ? 'shared.tenant' : 'named';
  const part = (own: string, end: string): string => `
    (select f.network_id, f.tenant_id, f.event_id, f.starts_at, f.name
     from shared.federated_event f join ${tenants} t on t.id = f.tenant_id
     where f.network_id = n.network_id and ${own} and ${conditions.join(' and ')}${end})`;
  const parts = [part(`f.starts_at >= ${recent}`, ` order by f.starts_at, f.name, f.event_id limit ${most}`)];
  // Only the first page contains events that started long ago: later pages begin at a start time. Few events are long. Without ORDER BY
  // this part uses their own index; ordered by start it would scan the whole past.
  if (filter.after === undefined) parts.push(part(`f.starts_at < ${recent} and f.${long.replace('- ', '- f.')}`, ''));
  const name = ['from', 'until', 'after', 'place', 'tag', 'category', 'text'].filter(
    (key) => filter[key as keyof AgendaFilter] !== undefined,
  );
  return {
    name: `${source} ${name.join(' ')}`,
    text: `${filter.text === undefined ? '' : namedSql}select k.* from ${from} cross join lateral (${parts.join('\n    union all')}) k
  order by k.starts_at, k.name, k.event_id limit ${value(page.limit)} offset ${value(page.skip ?? 0)}`,
    values,
  };
}

function given(filter: AgendaFilter, name: keyof AgendaFilter): unknown {
  return name === 'text' ? searchWords(filter.text ?? '').map(({ within }) => within) : filter[name];
}
