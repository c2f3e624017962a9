import { anyOf, ApiKey, User } from '#tenancy';
import type { TenantDb } from '#tenancy';
import { currentPanelRequest } from '#panel-kit';
import type { PanelRow, PanelSource } from '#panel-kit';
import { texts } from '../locales/panel.texts.js';

type Reader = Pick<PanelSource, 'find' | 'count' | 'findOne' | 'findMany'>;

const words = texts.perLanguage('sellers', ({ words }) => words);

/**
 * Adds the seller (`seller`: a member of staff, an API key, or online) and who refunded (`refundedByName`) to rows with `byUserId`,
 * `byKeyId`, `origin` and `refundedBy`. Names are in the shared schema, so they are read separately, with one statement per kind for all
 * rows.
 */
export function withSellers(db: TenantDb, reader: Reader): Reader {
  const named = (rows: PanelRow[]): Promise<PanelRow[]> => nameSellers(db, rows);
  return {
    count: reader.count,
    find: async (query) => named(await reader.find(query)),
    findMany: async (ids) => named(await reader.findMany(ids)),
    findOne: async (id) => {
      const row = await reader.findOne(id);
      return row && ((await named([row]))[0] ?? null);
    },
  };
}

async function nameSellers(db: TenantDb, rows: PanelRow[]): Promise<PanelRow[]> {
  const idsOf = (...columns: string[]): string[] => [
    ...new Set(columns.flatMap((column) => rows.map((row) => row[column])).filter((id) => typeof id === 'string')),
  ];
  const [users, keys] = [idsOf('byUserId', 'refundedBy'), idsOf('byKeyId')];
  const names = new Map<unknown, string>();
  if (users.length + keys.length > 0)
    await db.transaction(async (tx) => {
      for (const { id, name, email } of users.length > 0 ? await tx.find(User, { where: { id: anyOf(users) } }) : [])
        names.set(id, name || email);
      for (const { id, name } of keys.length > 0 ? await tx.find(ApiKey, { where: { id: anyOf(keys) } }) : [])
        names.set(id, `${words.en.api}: ${name}`);
    });
  const { online, panel, api } = words[currentPanelRequest().language];
  const unnamed = (row: PanelRow): string => ({ panel, api })[String(row['origin'])] ?? online;
  return rows.map((row) => ({
    ...row,
    seller: names.get(row['byUserId']) ?? names.get(row['byKeyId']) ?? unnamed(row),
    refundedByName: names.get(row['refundedBy']) ?? null,
  }));
}
