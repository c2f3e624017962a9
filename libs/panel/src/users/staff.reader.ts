import { anyOf, User } from '#tenancy';
import type { TenantDb } from '#tenancy';
import { entityReader, type PanelFilter, type PanelRow, type PanelSource } from '#panel-kit';

type Reader = Pick<PanelSource, 'find' | 'count' | 'findOne' | 'findMany'>;

/** Maximum number of users that a filter by name reads. */
const mostPeople = 100_000;

/** Names of members of staff by id. A separate query, because they are in the shared schema. */
export async function staffNames(db: TenantDb, ids: readonly unknown[]): Promise<ReadonlyMap<unknown, string>> {
  const wanted = [...new Set(ids.filter((id) => typeof id === 'string'))];
  if (wanted.length === 0) return new Map();
  const select = { id: true, name: true };
  const people = await db.shared((tx) => tx.find(User, { select, where: { id: anyOf(wanted) } }));
  return new Map(people.map(({ id, name }) => [id, name]));
}

/** Adds the name of the member of staff (`staff`) to rows with `userId`, and supports filtering by it. */
export function withStaff(db: TenantDb, reader: Reader): Reader {
  const people = entityReader({
    open: (work) => db.shared(work),
    entity: User,
    alias: 'person',
    columns: { id: 'person.id', name: 'person.name' },
    sort: { by: 'name', direction: 'asc' },
  });
  const named = async (rows: PanelRow[]): Promise<PanelRow[]> => {
    const names = await staffNames(
      db,
      rows.map(({ userId }) => userId),
    );
    return rows.map((row) => ({ ...row, staff: names.get(row['userId']) ?? null }));
  };
  const byId = async ({ staff, ...filter }: PanelFilter): Promise<PanelFilter> => {
    if (!staff) return filter;
    const found = await people.find({ filter: { name: staff }, sort: null, limit: mostPeople, offset: 0 });
    return { ...filter, userId: { kind: 'among', values: found.map(({ id }) => String(id)) } };
  };
  return {
    count: async (filter) => reader.count(await byId(filter)),
    find: async (query) => named(await reader.find({ ...query, filter: await byId(query.filter) })),
    findMany: async (ids) => named(await reader.findMany(ids)),
    findOne: async (id) => {
      const row = await reader.findOne(id);
      return row && ((await named([row]))[0] ?? null);
    },
  };
}
