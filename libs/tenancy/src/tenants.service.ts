import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import {
  isLanguage,
  isVisible,
  RefusedInput,
  refuseUnfitTexts,
  SETTINGS,
  violatedConstraint,
  type Language,
  type Settings,
} from '#kernel';
import { LRUCache } from 'lru-cache';
import { latestTenant, requiredTenant } from './migrations/index.js';
import { Migrator } from './migrator.js';
import { isCategory, type CategoryCode } from './tenant-categories.js';
import { runInTenant, type TenantIdentity } from './tenant-context.js';
import { TenantDb, type Tx } from './tenant-db.js';
import { TenantFoundations } from './tenant-foundations.js';

export interface NewTenant {
  readonly slug: string;
  readonly name: string;
  readonly category: CategoryCode;
  readonly language?: Language;
  readonly timeZone?: string;
  /** Primary host; default `<slug>.BASE_DOMAIN`. */
  readonly host?: string;
  /** First administrator. */
  readonly ownerId?: string;
  readonly configuration?: Partial<Record<ConfigurationColumn, string>>;
}

const configurationColumns = [
  'short_description', 'long_description', 'street_address', 'postal_code', 'city', 'country', 'phone', 'email', 'website',
] as const; // prettier-ignore
export type ConfigurationColumn = (typeof configurationColumns)[number];

/** Longest texts of a tenant. */
const tenantTexts = { slug: 63, name: 200, timeZone: 100, host: 254 };

const identityColumns = `t.id, t.slug, t.name, t.category, t.schema_name as "schemaName", t.language,
  t.state, t.state_reason as "stateReason",
  t.time_zone as "timeZone", coalesce(p.host, '') as host,
  case when t.schema_version < ${latestTenant} then 'behind' when t.required_version > ${latestTenant} then 'newer' else 'current' end as "schemaState"`;
const identityFrom = 'shared.tenant t left join shared.domain p on p.tenant_id = t.id and p.is_primary';

/** Which tenants there are, and which one a host name means. */
@Injectable()
export class Tenants {
  /** A host is looked up at most once a second; a moved or removed domain works on after that second at the latest. */
  private readonly byHost = new LRUCache<string, { tenant: TenantIdentity | undefined }>({
    max: 5000,
    ttl: 1000,
    fetchMethod: async (host) => ({ tenant: await this.findByHost(host) }),
  });

  constructor(
    private readonly db: TenantDb,
    private readonly migrator: Migrator,
    private readonly foundations: TenantFoundations,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The tenant that a host name (no port, lower case) means; undefined for none. */
  async ofHost(host: string): Promise<TenantIdentity | undefined> {
    return (await this.byHost.fetch(host))?.tenant;
  }

  async bySlug(slug: string): Promise<TenantIdentity | undefined> {
    const [tenant] = await this.db.sharedStatement<TenantIdentity>(
      { name: 'tenant-by-slug', text: `select ${identityColumns} from ${identityFrom} where t.slug = $1` },
      [slug],
    );
    return tenant;
  }

  /** Several tenants by id; those that are gone are left out. */
  byIds(ids: readonly string[]): Promise<TenantIdentity[]> {
    return this.db.sharedStatement<TenantIdentity & Record<string, unknown>>(
      { name: 'tenants-by-id', text: `select ${identityColumns} from ${identityFrom} where t.id = any($1)` },
      [ids],
    );
  }

  /** Every tenant by slug, Root and Meta included. For operators; no request loops over it. */
  list(): Promise<(TenantIdentity & { createdAt: Date; schemaVersion: number })[]> {
    return this.db.sharedStatement(
      {
        name: 'tenant-list',
        text: `select ${identityColumns}, t.created_at as "createdAt", t.schema_version as "schemaVersion" from ${identityFrom} order by t.slug`,
      },
      [],
    );
  }

  /** Tenants without tables or primary domain (after a restore that went wrong, say). For operators. */
  incomplete(): Promise<{ slug: string; missing: 'tables' | 'primary domain' }[]> {
    return this.db.sharedStatement(
      {
        name: 'tenant-incomplete',
        text: `select t.slug, case when n.oid is null then 'tables' else 'primary domain' end as missing
          from shared.tenant t left join pg_namespace n on n.nspname = t.schema_name
          left join shared.domain d on d.tenant_id = t.id and d.is_primary
          where n.oid is null or d.host is null order by t.slug`,
      },
      [],
    );
  }

  /**
   * Creates a tenant in one transaction: schema, tables, signing key, domain, configuration, first administrator. All or nothing.
   * @throws RefusedInput on slug, name, category, host, language, timeZone or ownerId
   */
  async create(input: NewTenant): Promise<TenantIdentity> {
    const identity = this.identityOf(input);
    try {
      await this.db.shared((tx) => this.build(tx, identity, input));
    } catch (error) {
      throw refusalOf(error, identity) ?? error;
    }
    this.byHost.clear();
    return identity;
  }

  private async findByHost(host: string): Promise<TenantIdentity | undefined> {
    const [tenant] = await this.db.sharedStatement<TenantIdentity>(
      {
        name: 'tenant-by-host',
        text: `select ${identityColumns} from shared.domain d join ${identityFrom} on t.id = d.tenant_id where d.host = $1`,
      },
      [host],
    );
    return tenant;
  }

  private identityOf(input: NewTenant): TenantIdentity {
    refuseUnfitTexts(input, tenantTexts);
    const slug = input.slug.toLowerCase();
    if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(slug)) {
      throw new RefusedInput('slug', {
        en: `"${input.slug}" cannot be a sub-domain: use letters a-z, digits and hyphens, 63 at most.`,
        fr: `« ${input.slug} » ne peut pas être un sous-domaine : lettres a-z, chiffres et tirets, 63 au plus.`,
      });
    }
    if (!isVisible(input.name)) throw new RefusedInput('name', { en: 'Give the tenant a name.', fr: 'Donnez un nom.' });
    if (!isCategory(input.category)) {
      throw new RefusedInput('category', {
        en: 'The category is one of S, F, A, P, M, R.',
        fr: 'La catégorie est S, F, A, P, M ou R.',
      });
    }
    const language = input.language ?? 'en';
    if (!isLanguage(language))
      throw new RefusedInput('language', { en: 'The language is en or fr.', fr: 'La langue est en ou fr.' });
    const timeZone = input.timeZone ?? 'Europe/Paris';
    if (!isTimeZone(timeZone)) {
      throw new RefusedInput('timeZone', {
        en: `"${timeZone}" is not a time zone such as Europe/Paris.`,
        fr: `« ${timeZone} » n'est pas un fuseau horaire tel que Europe/Paris.`,
      });
    }
    const id = randomUUID();
    return {
      id,
      slug,
      name: input.name.trim(),
      category: input.category,
      schemaName: `t_${id.replaceAll('-', '')}`,
      schemaState: 'current',
      state: 'active',
      stateReason: null,
      language,
      timeZone,
      host: (input.host ?? `${slug}.${this.settings.baseDomain}`).toLowerCase(),
    };
  }

  private async build(tx: Tx, tenant: TenantIdentity, input: NewTenant): Promise<void> {
    await tx.query(
      `insert into shared.tenant (id, slug, name, category, schema_name, schema_version, required_version, language, time_zone)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        tenant.id,
        tenant.slug,
        tenant.name,
        tenant.category,
        tenant.schemaName,
        latestTenant,
        requiredTenant,
        tenant.language,
        tenant.timeZone,
      ],
    );
    await tx.query('insert into shared.domain (host, tenant_id, is_primary) values ($1, $2, true)', [
      tenant.host,
      tenant.id,
    ]);
    if (input.ownerId) {
      await tx.query('insert into shared.tenant_administrator (tenant_id, user_id) values ($1, $2)', [
        tenant.id,
        input.ownerId,
      ]);
    }
    await tx.query(`create schema "${tenant.schemaName}"; set local search_path to "${tenant.schemaName}"`);
    await this.migrator.applyAllTenantSteps(tx);
    const configuration = input.configuration ?? {};
    await tx.query(
      `insert into configuration (${configurationColumns.join(', ')}) values (${configurationColumns.map((_, index) => `$${index + 1}`).join(', ')})`,
      configurationColumns.map((column) => configuration[column] ?? null),
    );
    await runInTenant(tenant, () => this.foundations.lay(tx, tenant));
    await tx.query('set local search_path to shared');
  }
}

function refusalOf(error: unknown, tenant: TenantIdentity): RefusedInput | undefined {
  switch (violatedConstraint(error)) {
    case 'tenant_slug_key':
      return new RefusedInput('slug', {
        en: `A tenant "${tenant.slug}" exists already: choose another slug.`,
        fr: `Un lieu « ${tenant.slug} » existe déjà : choisissez un autre nom court.`,
      });
    case 'tenant_one_root':
      return new RefusedInput('category', {
        en: 'There is a Root already, and only one can exist.',
        fr: 'Il y a déjà une Racine, et une seule peut exister.',
      });
    case 'tenant_administrator_user_id_fkey':
      return new RefusedInput('ownerId', { en: 'There is no such user.', fr: "Cet utilisateur n'existe pas." });
    case 'domain_pkey':
    case 'domain_host_check':
      return new RefusedInput('host', {
        en: `The host ${tenant.host} is taken or unfit: choose another.`,
        fr: `L'hôte ${tenant.host} est pris ou invalide : choisissez-en un autre.`,
      });
    default:
      return undefined;
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
