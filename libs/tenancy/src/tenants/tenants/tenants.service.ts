import { Inject, Injectable } from '@nestjs/common';
import { definedOf, FairLimit, Kept, RecentReadings, RefusedInput, serverBusy, SETTINGS, withoutContext, type Settings } from '#kernel';
import { limits } from '../../limits.js';
import { firstMetaSql } from '../../database/context/first-meta.js';
import { latestTenant, requiredTenant } from '../../migrations/index.js';
import { type NewTenant, type IdentityChange, configurationColumns, tenantIdentitySql } from './new-tenant.js';
import { SpareSchemasService } from './spare-schemas.service.js';
import { Nodes } from '../../database/connections/nodes.js';
import { currentNode, currentTenant, onNode, runInTenant, type TenantIdentity } from '../../database/context/tenant-context.js';
import { texts } from '../../locales/tenancy.texts.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { Tenant } from './tenant.entity.js';
import { TenantFoundations } from './tenant-foundations.js';
import { identityOf, refusalOf } from './tenant-rules.js';

const hostStatement = {
  name: 'tenant-by-host',
  text: `select ${tenantIdentitySql.columns} from shared.domain d join ${tenantIdentitySql.from} on t.id = d.tenant_id where d.host = $1`,
};

const emptiestStatement = {
  name: 'node-for-tenant',
  text: `select n.node from unnest($1::integer[]) n (node)
    order by (select count(*) from shared.tenant t where t.node = n.node), n.node limit 1`,
};

/** The transaction that opens a tenant on another server ends before. */
const draftMinutes = 10;
const draftSql = `update shared.tenant set state = 'deleting', delete_after = (select now() + make_interval(mins => $2)) where id = $1`;

const firstMetaStatement = { name: 'tenant-first-meta', text: firstMetaSql };

/** Finds tenants by host, slug and id, and creates them. */
@Injectable()
export class TenantsService {
  private readonly byHost = new RecentReadings<TenantIdentity | undefined>(limits.hosts.kept);
  private unknownHosts = new Kept<true>(limits.unknownHosts.kept);
  /** Hosts that were found within the last minutes. Their look-ups are not limited. */
  private readonly knownHosts = new Kept<true>(limits.knownHosts.kept);
  /** Hosts that no tenant has and the default tenant answers for, such as the addresses of the machine. */
  private readonly fallbackHosts = new Kept<true>(limits.fallbackHosts.kept);
  private readonly lookUps = new FairLimit({ ...limits.hostLookUps.turns, refuse: serverBusy });
  private readonly firstMeta = new RecentReadings<string | undefined>(limits.firstMeta.kept);

  constructor(
    private readonly db: TenantDb,
    private readonly nodes: Nodes,
    private readonly spares: SpareSchemasService,
    private readonly foundations: TenantFoundations,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Finds the tenant of a host name (no port, lower case).
   * @throws Problem 503 `server.busy` when too many hosts that were not found lately are being looked up
   */
  async ofHost(host: string): Promise<TenantIdentity | undefined> {
    const { unknownHosts } = this;
    if (unknownHosts.has(host)) return undefined;
    const tenant = await this.byHost.read(host, () => this.findByHost(host));
    if (tenant) this.knownHosts.set(host, true);
    else {
      // Of before the look-up: when they were forgotten meanwhile, the host may have a tenant now.
      unknownHosts.set(host, true);
      this.byHost.forget(host);
    }
    return tenant;
  }

  /** Whether a look-up of this host does not count for the client: it was found lately, no tenant has it, or it was excused lately. */
  isKnownHost(host: string): boolean {
    return this.knownHosts.has(host) || this.unknownHosts.has(host) || this.fallbackHosts.get(host) === true;
  }

  /** Requests for a host that no tenant has do not count for their clients for some minutes. */
  excuseHost(host: string): void {
    this.fallbackHosts.set(host, true);
  }

  /** @returns undefined when there is no such tenant */
  async bySlug(slug: string): Promise<TenantIdentity | undefined> {
    const [tenant] = await this.db.sharedStatement<TenantIdentity>(
      { name: 'tenant-by-slug', text: `select ${tenantIdentitySql.columns} from ${tenantIdentitySql.from} where t.slug = $1` },
      [slug],
    );
    return tenant;
  }

  /** Finds tenants by id; ignores ids without tenant. */
  byIds(ids: readonly string[]): Promise<TenantIdentity[]> {
    return this.db.sharedStatement<TenantIdentity & Record<string, unknown>>(
      { name: 'tenants-by-id', text: `select ${tenantIdentitySql.columns} from ${tenantIdentitySql.from} where t.id = any($1)` },
      [ids],
    );
  }

  /** All tenants by slug, including Root and Meta. For operators only; requests must not loop over tenants. */
  list(): Promise<(TenantIdentity & { createdAt: Date; schemaVersion: number })[]> {
    return this.db.sharedStatement(
      {
        name: 'tenant-list',
        text: `select ${tenantIdentitySql.columns}, t.created_at as "createdAt", t.schema_version as "schemaVersion"
          from ${tenantIdentitySql.from}
          order by t.slug`,
      },
      [],
    );
  }

  /**
   * Creates a tenant in one transaction: schema, tables, signing key, domain, configuration, public record, first administrator.
   * @throws RefusedInput on slug, name, category, host, language, timeZone, ownerId or node
   */
  async create(input: NewTenant): Promise<TenantIdentity> {
    const node = input.node ?? (await this.emptiestNode());
    if (!this.nodes.ids.includes(node)) throw new RefusedInput('node', texts.localized('moveRefusals.node', { node: String(node) }));
    return onNode(node, () => this.db.shared((tx) => this.createOn(tx, input, 'shared')));
  }

  /**
   * Creates a tenant in a transaction of the current tenant. The transaction then continues in the current tenant's schema. After a refusal
   * it must be rolled back.
   *
   * When another database server has fewer tenants, the tenant is created there, in a transaction of its own, as one that is being deleted
   * and answers nothing. The caller's transaction opens it. When that is rolled back, the hourly removal of tenants deletes it.
   * @throws RefusedInput as `create`
   */
  async createIn(tx: Tx, input: NewTenant): Promise<TenantIdentity> {
    const node = this.nodes.areSeveral ? await this.emptiestNode(tx) : currentNode();
    if (node === currentNode()) return this.createOn(tx, input, `"${currentTenant().schemaName}"`);
    const { ownerId, ...others } = input;
    const made = await onNode(node, () => this.db.shared((there) => this.createOn(there, others, 'shared', draftMinutes)));
    if (ownerId) await addAdministrator(tx, made.id, ownerId);
    await tx.query(`update shared.tenant set state = 'active', delete_after = null where id = $1`, [made.id]);
    this.db.afterCommit(tx, () => this.forget());
    return made;
  }

  /** Whether the current tenant is the Meta that was installed first. */
  async isFirstMeta(): Promise<boolean> {
    const { id, category } = currentTenant();
    return category === 'M' && (await this.firstMetaId()) === id;
  }

  /** The Meta that was installed first; undefined when the server has none. */
  async firstMetaOfServer(): Promise<TenantIdentity | undefined> {
    const id = await this.firstMetaId();
    return id === undefined ? undefined : (await this.byIds([id]))[0];
  }

  /** Without the current tenant's context, because all tenants share the result and must not wait for one tenant's connections. */
  private firstMetaId(): Promise<string | undefined> {
    const read = () => withoutContext(() => this.db.sharedStatement<{ id: string }>(firstMetaStatement, []));
    return this.firstMeta.read('first', async () => (await read())[0]?.id);
  }

  /** Of the nodes that take tenants, the one with the fewest; the current one when there is no other. */
  private async emptiestNode(tx?: Tx): Promise<number> {
    const ids = this.nodes.idsForTenants;
    if (ids.length === 0) return currentNode();
    const [emptiest] = tx
      ? await tx.query<{ node: number }[]>(emptiestStatement.text, [ids])
      : await this.db.sharedStatement<{ node: number }>(emptiestStatement, [ids]);
    return emptiest?.node ?? currentNode();
  }

  /** @param minutes after which it is deleted, unless it is opened; undefined: it is open */
  private async createOn(tx: Tx, input: NewTenant, searchPath: string, minutes?: number): Promise<TenantIdentity> {
    const identity = identityOf(input, this.settings);
    try {
      await this.build(tx, identity, input);
      if (minutes !== undefined) await tx.query(draftSql, [identity.id, minutes]);
    } catch (error) {
      throw refusalOf(error, identity) ?? error;
    }
    await tx.query(`set local search_path to ${searchPath}`);
    this.db.afterCommit(tx, () => this.forget());
    return identity;
  }

  /** Reads the editable identity of a tenant. */
  async identityIn(tx: Tx, id: string): Promise<Required<{ [Field in keyof IdentityChange]: NonNullable<IdentityChange[Field]> }>> {
    const { name, language, timeZone } = await tx.findOneByOrFail(Tenant, { id });
    return { name, language, timeZone };
  }

  /**
   * Changes the given members. The public record has the new name at once; requests in other processes see it within a second.
   * @param change checked by the caller, see `tenant-rules`
   */
  async changeIn(tx: Tx, id: string, change: IdentityChange): Promise<void> {
    const given = definedOf(change);
    if (Object.keys(given).length === 0) return;
    await tx.update(Tenant, { id }, given);
    this.db.afterCommit(tx, () => this.forget());
  }

  /** Clears the host caches of this process. */
  forget(): void {
    this.byHost.forgetAll();
    this.firstMeta.forgetAll();
    this.unknownHosts = new Kept(limits.unknownHosts.kept);
  }

  private async findByHost(host: string): Promise<TenantIdentity | undefined> {
    const read = (): Promise<TenantIdentity[]> => this.db.sharedStatement<TenantIdentity & Record<string, unknown>>(hostStatement, [host]);
    const [tenant] = await (this.knownHosts.has(host) ? read() : this.lookUps.run(read));
    return tenant;
  }

  private async build(tx: Tx, tenant: TenantIdentity, input: NewTenant): Promise<void> {
    const { host, ...columns } = tenant;
    await tx.insert(Tenant, { ...columns, schemaVersion: latestTenant, requiredVersion: requiredTenant });
    await tx.query('insert into shared.domain (host, tenant_id, is_primary) values ($1, $2, true)', [host, tenant.id]);
    if (input.ownerId) await addAdministrator(tx, tenant.id, input.ownerId);
    await this.spares.provide(tx, tenant.schemaName);
    const configuration = input.configuration ?? {};
    await tx.query(
      `insert into configuration (${configurationColumns.join(', ')})
       values (${configurationColumns.map((_, index) => `$${index + 1}`).join(', ')})`,
      configurationColumns.map((column) => configuration[column] ?? null),
    );
    await runInTenant(tenant, async () => {
      await input.furnish?.(tx);
      await this.foundations.lay(tx, tenant);
    });
  }
}

async function addAdministrator(tx: Tx, tenantId: string, userId: string): Promise<void> {
  await tx.query('insert into shared.tenant_administrator (tenant_id, user_id) values ($1, $2)', [tenantId, userId]);
}
