import type { CategoryCode, Tx } from '#tenancy';

/** Identifying data of a place that is being created. */
export interface PlaceIdentity {
  readonly slug: string;
  readonly nameKey: string;
  readonly host: string;
  readonly category: CategoryCode;
}

/** An existing place that conflicts with a new one, and what both have in common. */
export interface SamePlace {
  readonly id: string;
  readonly by: 'name' | 'slug';
}

/** An arbitrary number that no other lock uses; the second key of the lock is the hash of the name. */
const creationLock = 7_263_010;

/** Serialises creations of the same organisation over all processes. They are transactions of the first Meta, hence of one node. */
export async function lockName(tx: Tx, { nameKey }: Pick<PlaceIdentity, 'nameKey'>): Promise<void> {
  await tx.query('select pg_advisory_xact_lock($1, hashtext($2))', [creationLock, nameKey]);
}

// Names of Metas and Root are excluded: they are generic ("Agenda"), and a venue may have the same name.
const same = `select tenant_id as id, 'name' as by from shared.place
    where name_key = $2 and (category in ('M', 'R')) = ($4 in ('M', 'R'))
  union all select id, 'slug' from shared.tenant where slug = $1
  union all select tenant_id, 'slug' from shared.domain where host = $3`;

/** The places with the same name, sub-domain or host: at most one of each kind. */
export function findSame(tx: Tx, { slug, nameKey, host, category }: PlaceIdentity): Promise<SamePlace[]> {
  return tx.query<SamePlace[]>(same, [slug, nameKey, host, category]);
}
