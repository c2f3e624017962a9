import { randomUUID } from 'node:crypto';
import { isLanguage, RefusedInput, wireAddress, type Settings } from '#kernel';
import { asciiHost } from '../../../database/context/host-names.js';
import { refuseReservedHost } from '../../../database/context/reserved-names.js';
import type { TenantIdentity } from '../../../database/context/tenant-context.js';
import type { Tx } from '../../../database/transactions/tx.js';
import { stagedTable, sharedStreams } from '../format/shared-streams.js';
import type { ExportHeader } from '../format/transfer-format.js';
import { texts } from '../../../locales/tenancy.texts.js';

type ArrivalSettings = Pick<Settings, 'baseDomain' | 'metaSubdomain' | 'domainsPerTenant'>;

/** A user who may sign in to the imported tenant's panel. */
export interface ArrivedUser {
  readonly email: string;
  /** True: created by the import, without a usable password. False: the user existed on this server. */
  readonly created: boolean;
}

interface StagedUser {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly language: string | null;
  readonly administrator: boolean;
  readonly granted_at: Date | null;
}

/** Creates the shared rows of an imported tenant from the staging schema, in the caller's transaction. */
export class ImportArrival {
  constructor(
    private readonly tx: Tx,
    private readonly tenant: TenantIdentity,
    private readonly staging: string,
    private readonly settings: ArrivalSettings,
  ) {}

  /** Creates the tenant as suspended, so that it sends mails, sells and scans only after an operator resumes it. */
  async addTenant({ tenant: { createdAt } }: ExportHeader, versions: { schema: number; required: number }): Promise<void> {
    const { id, slug, name, category, schemaName, node, language, timeZone, host } = this.tenant;
    await this.tx.query(
      `insert into shared.tenant (id, slug, name, category, schema_name, schema_version, required_version, language, time_zone, created_at,
         state, state_reason, node) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'suspended', $11, $12)`,
      [
        id,
        slug,
        name,
        category,
        schemaName,
        versions.schema,
        versions.required,
        language,
        timeZone,
        createdAt,
        texts.localized('importArrival.moving')[language],
        node,
      ],
    );
    await this.tx.query('insert into shared.domain (host, tenant_id, is_primary) values ($1, $2, true)', [host, id]);
  }

  /**
   * Adds the tenant's own domains, except those below the other server's BASE_DOMAIN.
   * @returns the domains that another tenant has, that belong to this server, or that exceed the limit
   */
  async addDomains({ baseDomain }: ExportHeader): Promise<string[]> {
    const { id, category, host: primary } = this.tenant;
    const rows = await this.tx.query<{ host: string }[]>(`select host from ${this.staged('shared.domain')} order by host`);
    const own = rows.map(({ host }) => host).filter((host) => host !== primary && host !== baseDomain && !host.endsWith(`.${baseDomain}`));
    const left: string[] = [];
    for (const [index, host] of own.entries()) {
      const fits = index + 1 < this.settings.domainsPerTenant && asciiHost(host) === host && this.isFree(host, category);
      const [taken] = fits
        ? await this.tx.query<unknown[]>(
            'insert into shared.domain (host, tenant_id) values ($1, $2) on conflict (host) do nothing returning host',
            [host, id],
          )
        : [];
      if (!taken) left.push(host);
    }
    return left;
  }

  /**
   * Links administrators to users of this server with the same e-mail address, whose names, passwords and rights do not change, and creates
   * missing users. Then adds the keys. A key keeps its owner only if the owner is an administrator of the tenant or a super-user of this
   * server.
   * @param passwordHash hash of an unknown password
   */
  async addUsersAndKeys(passwordHash: string): Promise<ArrivedUser[]> {
    const users = await this.tx.query<StagedUser[]>(`select * from ${this.staged('shared.user_account')} order by email`);
    const arrived: ArrivedUser[] = [];
    const owners = new Map<string, string>();
    for (const user of users) {
      const [known] = await this.tx.query<{ id: string; is_super_user: boolean }[]>(
        'select id, is_super_user from shared.user_account where email = $1 for share',
        [user.email],
      );
      if (!user.administrator) {
        if (known?.is_super_user) owners.set(user.id, known.id);
        continue;
      }
      const id = known?.id ?? (await this.addUser(user, passwordHash));
      if (id === undefined) continue;
      owners.set(user.id, id);
      arrived.push({ email: user.email, created: !known });
      await this.tx.query(
        'insert into shared.tenant_administrator (tenant_id, user_id, granted_at) values ($1, $2, $3) on conflict do nothing',
        [this.tenant.id, id, user.granted_at],
      );
    }
    await this.addKeys(owners);
    return arrived;
  }

  /** Adds pending work: unpublished events, webhook endpoints and jobs. It stays pending while the tenant is suspended. */
  async addWaiting(): Promise<void> {
    const { id } = this.tenant;
    await this.tx.query(
      `insert into shared.outbox (tenant_id, id, type, subject_id, sequence, occurred_at, data)
       select $1, id, type, subject_id, sequence, occurred_at, data from ${this.staged('shared.outbox')} order by ordinal`,
      [id],
    );
    await this.tx.query(
      `insert into shared.webhook_queue (endpoint_id, tenant_id, due_at, failing)
       select endpoint_id, $1, due_at, failing from ${this.staged('shared.webhook_queue')}`,
      [id],
    );
    await this.tx.query(
      `insert into shared.job (tenant_id, kind, subject_id, due_at, attempts, revision, last_error)
       select $1, kind, subject_id, due_at, attempts, revision, last_error from ${this.staged('shared.job')}`,
      [id],
    );
  }

  /** Renames the staging schema to the tenant's schema. */
  async takeSchema(): Promise<void> {
    const helpers = [...sharedStreams.map(({ name }) => stagedTable(name)), 'import_constraint', 'import_part', 'import_state'];
    await this.tx.query(`drop table ${helpers.map((table) => `"${this.staging}"."${table}"`).join(', ')}`);
    await this.tx.query(`alter schema "${this.staging}" rename to "${this.tenant.schemaName}"`);
  }

  private async addUser({ id, email, name, language }: StagedUser, passwordHash: string): Promise<string | undefined> {
    if (wireAddress(email) === undefined || email !== email.toLowerCase()) return undefined;
    const [taken] = await this.tx.query<unknown[]>('select 1 from shared.user_account where id = $1', [id]);
    const [row] = await this.tx.query<{ id: string }[]>(
      `insert into shared.user_account (id, email, name, password_hash, language) values ($1, $2, $3, $4, $5) returning id`,
      [taken ? randomUUID() : id, email, name.slice(0, 200), passwordHash, isLanguage(language) ? language : null],
    );
    return row?.id;
  }

  /** Adds the keys without the scopes to create tenants, because these are rights on the other server. */
  private async addKeys(owners: ReadonlyMap<string, string>): Promise<void> {
    await this.tx.query(
      `insert into shared.api_key (id, tenant_id, kind, name, secret_hash, device_id, owner_id, scopes, allowed_addresses, allowed_origins,
         expires_at, suspended_at, revoked_at, last_used_at, created_at)
       select k.id, $1, k.kind, k.name, k.secret_hash, k.device_id, o.owner,
       array_remove(array_remove(k.scopes, 'place:read'), 'place:write'),
         k.allowed_addresses, k.allowed_origins, k.expires_at, k.suspended_at, k.revoked_at, k.last_used_at, k.created_at
       from ${this.staged('shared.api_key')} k left join unnest($2::uuid[], $3::uuid[]) o (old, owner) on o.old = k.owner_id`,
      [this.tenant.id, [...owners.keys()], [...owners.values()]],
    );
  }

  private isFree(host: string, category: TenantIdentity['category']): boolean {
    try {
      refuseReservedHost(host, category, this.settings);
      return true;
    } catch (error) {
      if (error instanceof RefusedInput) return false;
      throw error;
    }
  }

  private staged(stream: string): string {
    return `"${this.staging}"."${stagedTable(stream)}"`;
  }
}
