import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { currentNode, onNode } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { closedSchemaNames, closedSchemaSql, moveLockSpace } from '../moves/moved-tenant.js';
import { TenantMovesService } from '../moves/tenant-moves.service.js';
import { importLockKeySql, importLockSpace, stagingNames } from '../transfer/import/import-staging.js';

/** An inconsistency of the shared schema that creating and deleting tenants cannot cause. */
export interface Leftover {
  readonly kind:
    | 'schema without tenant'
    | 'unfinished import'
    | 'unfinished move'
    | 'old copy of a moved tenant'
    | 'tenant without primary domain'
    | 'tenant without tables';
  /** Name of the schema, or slug of the tenant. */
  readonly name: string;
}

const statement = {
  name: 'leftovers',
  text: `select 'schema without tenant' as kind, n.nspname as name from pg_namespace n
      where n.nspname ~ '^(t|spare)_[0-9a-f]{32}$' and not exists (select 1 from shared.tenant t where t.schema_name = n.nspname)
        and not exists (select 1 from shared.spare_schema s where s.schema_name = n.nspname)
    union all select 'unfinished import', n.nspname from pg_namespace n
      where n.nspname ~ '${stagingNames}' and not exists (select 1 from pg_locks l
        where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid = ${importLockSpace}
          and l.database = (select oid from pg_database where datname = current_database())
          and l.objid::bigint = ${importLockKeySql('n.nspname')}::bigint)
    union all select 'schema without tenant', n.nspname from pg_namespace n
      where n.nspname ~ '${closedSchemaNames}' and not exists (select 1 from shared.tenant t where ${closedSchemaSql('t')} = n.nspname)
    union all select 'unfinished move', t.slug from shared.tenant t
      where t.node = $1 and t.moving_since is not null and not exists (select 1 from pg_locks l
        where l.locktype = 'advisory' and l.granted and l.objsubid = 2 and l.classid = ${moveLockSpace}
          and l.database = (select oid from pg_database where datname = current_database())
          and l.objid::bigint = ('x' || substr(t.id::text, 1, 8))::bit(32)::bigint)
    union all select 'old copy of a moved tenant', t.slug from shared.tenant t
      where t.node <> $1 and exists (select 1 from pg_namespace n where n.nspname = ${closedSchemaSql('t')})
    union all select 'tenant without primary domain', t.slug from shared.tenant t
      where t.node = $1 and not exists (select 1 from shared.domain d where d.tenant_id = t.id and d.is_primary)
    union all select 'tenant without tables', t.slug from shared.tenant t
      where t.node = $1 and t.moving_since is null and not exists (select 1 from pg_namespace n where n.nspname = t.schema_name)
    order by 1, 2`,
};

/**
 * Finds and repairs inconsistencies that a restore of single tables or manual changes can leave. Guichet itself leaves none, because it
 * creates and deletes a tenant in one transaction. For operators.
 */
@Injectable()
export class LeftoversService {
  constructor(
    private readonly db: TenantDb,
    private readonly moves: TenantMovesService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'baseDomain'>,
  ) {}

  /** Lists all inconsistencies. Changes nothing. */
  async find(): Promise<Leftover[]> {
    return (await this.findOnNodes()).map(({ kind, name }) => ({ kind, name }));
  }

  /**
   * Removes schemas without tenant, removes the data of unfinished imports that are not running, and gives tenants without a primary domain
   * one. Removes old copies of moved tenants. Tenants without tables do not change, because only a backup has their data, nor do unfinished
   * moves, which the command `tenant move` ends.
   * @returns the repairs, one line each
   */
  async repair(): Promise<string[]> {
    const done: string[] = [];
    for (const { kind, name, node } of await this.findOnNodes()) {
      if (kind === 'schema without tenant' && (await onNode(node, () => this.dropSchema(name)))) done.push(`dropped schema ${name}`);
      if (kind === 'unfinished import' && (await onNode(node, () => this.dropImport(name))))
        done.push(`dropped the unfinished import ${name}`);
      if (kind === 'old copy of a moved tenant') {
        await this.moves.removeOldCopies(name);
        done.push(`removed an old copy of ${name}`);
      }
      if (kind === 'tenant without primary domain') {
        const host = await this.db.shared((tx) => this.makePrimary(tx, name));
        if (host) done.push(`${host} is the primary domain of ${name}`);
      }
    }
    return done;
  }

  private async findOnNodes(): Promise<(Leftover & { readonly node: number })[]> {
    const found = await this.db.onEachNode(async () => {
      const node = currentNode();
      const rows = await this.db.sharedStatement<Leftover & Record<string, unknown>>(statement, [node]);
      return rows.map((leftover) => ({ ...leftover, node }));
    });
    return found.flat();
  }

  /** Waits for a tenant that is being restored or created; its schema stays. */
  private dropSchema(schema: string): Promise<boolean> {
    return this.db.shared(async (tx) => {
      await tx.query('lock table shared.tenant, shared.spare_schema in share mode');
      const owners = await tx.query<unknown[]>(
        'select 1 from shared.tenant where schema_name = $1 union all select 1 from shared.spare_schema where schema_name = $1',
        [schema],
      );
      if (owners.length > 0) return false;
      await tx.query(`drop schema if exists "${schema}" cascade`);
      return true;
    });
  }

  /** False when the import is running. */
  private dropImport(schema: string): Promise<boolean> {
    return this.db.shared(async (tx) => {
      const [lock] = await tx.query<{ held: boolean }[]>(
        `select pg_try_advisory_xact_lock(${importLockSpace}, ${importLockKeySql('$1')}::int) as held`,
        [schema],
      );
      if (!lock?.held) return false;
      await tx.query(`drop schema if exists "${schema}" cascade`);
      return true;
    });
  }

  /** Makes one of its domains primary, or its initial domain when it has none and no other tenant uses that domain. */
  private async makePrimary(tx: Tx, slug: string): Promise<string | undefined> {
    const host = `${slug}.${this.settings.baseDomain}`.toLowerCase();
    await tx.query(
      `insert into shared.domain (host, tenant_id) select $2, id from shared.tenant t where t.slug = $1
         and not exists (select 1 from shared.domain d where d.tenant_id = t.id) on conflict (host) do nothing`,
      [slug, host],
    );
    const [rows] = await tx.query<[{ host: string }[], number]>(
      `update shared.domain set is_primary = true where host = (
         select d.host from shared.domain d join shared.tenant t on t.id = d.tenant_id where t.slug = $1
           and not exists (select 1 from shared.domain p where p.tenant_id = t.id and p.is_primary) order by d.host limit 1)
           returning host`,
      [slug],
    );
    return rows[0]?.host;
  }
}
