import type { CategoryCode, Tx } from '#tenancy';

/** What identifies a place that is being created. */
export interface PlaceIdentity {
  readonly slug: string;
  readonly nameKey: string;
  readonly host: string;
  readonly category: CategoryCode;
}

/** A place that a new one would be mistaken for, and what both have in common. */
export interface SamePlace {
  readonly id: string;
  readonly by: 'name' | 'slug';
}

/** Any number that no other lock uses; the second half of the lock is the hash of the name. */
const creationLock = 7_263_010;

/** Two creations of the same organisation take turns from here on, in all processes. */
export async function lockName(tx: Tx, { nameKey }: Pick<PlaceIdentity, 'nameKey'>): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [creationLock, nameKey]);
}

// Metas and Root have names of their own kind ("Agenda"): a venue may be called the same.
const same = `select tenant_id as id, 'name' as by from shared.place
    where name_key = $2 and (category in ('M', 'R')) = ($4 in ('M', 'R'))
  union all select id, 'slug' from shared.tenant where slug = $1
  union all select tenant_id, 'slug' from shared.domain where host = $3`;

/** The places of the same name, sub-domain or host: at most one a kind. */
export function findSame(tx: Tx, { slug, nameKey, host, category }: PlaceIdentity): Promise<SamePlace[]> {
  return tx.query<SamePlace[]>(same, [slug, nameKey, host, category]);
}
