import { Inject, Injectable } from '@nestjs/common';
import { RefusedInput, SETTINGS, violatedConstraint, type Settings } from '#kernel';
import { Domain } from './domain.entity.js';
import { asciiHost, typedHost } from '../../database/context/host-names.js';
import { TenantHistoryService } from '../tenants/tenant-history.service.js';
import { lockTenants, type TenantRow } from '../tenants/tenant-rows.js';
import { refuseReservedHost } from '../../database/context/reserved-names.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { texts } from '../../locales/tenancy.texts.js';

type DomainSettings = Pick<Settings, 'baseDomain' | 'metaSubdomain' | 'domainsPerTenant'>;

/**
 * The host names of tenants. Every process sees a change within a second. Every change locks the tenants that it concerns, ordered by id,
 * before it reads their domains.
 */
@Injectable()
export class DomainsService {
  constructor(
    private readonly db: TenantDb,
    private readonly history: TenantHistoryService,
    @Inject(SETTINGS) private readonly settings: DomainSettings,
  ) {}

  /** The domains of a tenant, the primary one first. */
  list(tenantId: string): Promise<Domain[]> {
    return this.db.shared((tx) => tx.find(Domain, { where: { tenantId }, order: { isPrimary: 'DESC', host: 'ASC' } }));
  }

  /**
   * Adds a host name, which is not the primary one, to a tenant.
   * @param host in ASCII or Unicode; stored in its ASCII form
   * @throws RefusedInput on host or tenantId
   */
  async add(tenantId: string, host: string): Promise<Domain> {
    const name = typedHost(host);
    const domain = { host: name, tenantId, isPrimary: false };
    try {
      const insert = async (tx: Tx): Promise<void> => {
        const tenant = (await lockTenants(tx, [tenantId])).get(tenantId);
        if (!tenant) throw refusals.noTenant();
        await this.refuseUnfit(tx, tenant, name);
        await tx.insert(Domain, domain);
        await this.history.record(tx, { tenantId, slug: tenant.slug, action: 'domain_added', details: { host: name } });
      };
      await this.db.onNodeOf(tenantId, () => this.db.shared(insert));
    } catch (error) {
      if (violatedConstraint(error) === 'domain_pkey') throw refusals.taken(name);
      throw error;
    }
    return domain;
  }

  /** Makes the host the tenant's primary one; its other hosts redirect there. False when there is no such domain. */
  makePrimary(host: string): Promise<boolean> {
    return this.change(host, [], async (tx, domain, tenant) => {
      const { tenantId, host: name } = domain;
      if (domain.isPrimary) return;
      await tx.update(Domain, { tenantId, isPrimary: true }, { isPrimary: false });
      await tx.update(Domain, { host: name }, { isPrimary: true });
      await this.history.record(tx, { tenantId, slug: tenant.slug, action: 'domain_primary', details: { host: name } });
    });
  }

  /**
   * Moves a domain to another tenant in one transaction, so that the host always belongs to exactly one of them.
   * @param options.from the expected current tenant; when somebody moved the domain meanwhile, it stays
   * @param options.newPrimary the new primary domain of the tenant that loses its primary one
   * @returns false when there is no such domain
   * @throws RefusedInput on host, tenantId or newPrimary
   */
  async move(host: string, toTenantId: string, options: { readonly from?: string; readonly newPrimary?: string } = {}): Promise<boolean> {
    const newPrimary = options.newPrimary ? typedHost(options.newPrimary) : undefined;
    return this.change(host, [toTenantId], async (tx, domain, from, tenants) => {
      const to = tenants.get(toTenantId);
      if (!to) throw refusals.noTenant();
      if (options.from && options.from !== from.id) throw refusals.movedMeanwhile(domain.host);
      if (to.id === from.id) throw refusals.ownAlready(domain.host);
      await this.refuseUnfit(tx, to, domain.host);
      if (domain.isPrimary) await replacePrimary(tx, domain, newPrimary);
      else if (newPrimary) throw refusals.notPrimary(domain.host);
      const hasPrimary = await tx.existsBy(Domain, { tenantId: to.id, isPrimary: true });
      await tx.update(Domain, { host: domain.host }, { tenantId: to.id, isPrimary: !hasPrimary });
      const details = { host: domain.host, from: from.slug, to: to.slug, ...(newPrimary && { newPrimary }) };
      await this.history.record(tx, { tenantId: from.id, slug: from.slug, action: 'domain_moved', details });
      await this.history.record(tx, { tenantId: to.id, slug: to.slug, action: 'domain_moved', details });
    });
  }

  /** @throws RefusedInput on host for a primary domain; false when there is no such domain */
  remove(host: string): Promise<boolean> {
    return this.change(host, [], async (tx, domain, { slug }) => {
      if (domain.isPrimary) throw refusals.primary();
      const { tenantId, host: name } = domain;
      await tx.delete(Domain, { host: name });
      await this.history.record(tx, { tenantId, slug, action: 'domain_removed', details: { host: name } });
    });
  }

  /**
   * Locks the domain's tenant, and others, then changes the domain.
   * @returns false when there is no such domain
   * @throws RefusedInput on host when somebody moved or removed it meanwhile
   */
  private async change(
    typed: string,
    others: readonly string[],
    work: (tx: Tx, domain: Domain, owner: TenantRow, tenants: Map<string, TenantRow>) => Promise<void>,
  ): Promise<boolean> {
    const host = asciiHost(typed);
    if (host === undefined) return false;
    const found = await this.db.shared((tx) => tx.findOneBy(Domain, { host }));
    if (!found) return false;
    const locked = async (tx: Tx): Promise<void> => {
      const tenants = await lockTenants(tx, [found.tenantId, ...others]);
      const owner = tenants.get(found.tenantId);
      // Read again, because the previous holder of the lock may have moved, removed or changed it.
      const domain = await tx.findOneBy(Domain, { host, tenantId: found.tenantId });
      if (!domain || !owner) throw refusals.movedMeanwhile(host);
      await work(tx, domain, owner, tenants);
    };
    await this.db.onNodeOf(found.tenantId, () => this.db.shared(locked));
    return true;
  }

  private async refuseUnfit(tx: Tx, tenant: TenantRow, host: string): Promise<void> {
    refuseReservedHost(host, tenant.category, this.settings);
    if (tenant.state === 'deleting') throw refusals.deleting();
    const most = this.settings.domainsPerTenant;
    if ((await tx.countBy(Domain, { tenantId: tenant.id })) >= most) throw refusals.tooMany(most);
  }
}

/** Makes another domain primary in the transaction that takes the current one away. */
async function replacePrimary(tx: Tx, { tenantId, host }: Domain, newPrimary: string | undefined): Promise<void> {
  if (newPrimary === undefined) throw refusals.primaryMoves();
  await tx.update(Domain, { host }, { isPrimary: false });
  const { affected } = await tx.update(Domain, { host: newPrimary, tenantId }, { isPrimary: true });
  if (affected !== 1 || newPrimary === host) throw refusals.noSuchPrimary(newPrimary);
}

const refusals = {
  noTenant: () => new RefusedInput('tenantId', texts.localized('domains.unknownTenant')),
  taken: (host: string) => new RefusedInput('host', texts.localized('domains.taken', { host })),
  deleting: () => new RefusedInput('tenantId', texts.localized('domains.tenantDeleted')),
  tooMany: (most: number) => new RefusedInput('host', texts.localized('domains.tooMany', { most })),
  primary: () => new RefusedInput('host', texts.localized('domains.primary')),
  primaryMoves: () => new RefusedInput('newPrimary', texts.localized('domains.newPrimaryMissing')),
  notPrimary: (host: string) => new RefusedInput('newPrimary', texts.localized('domains.notPrimary', { host })),
  noSuchPrimary: (host: string) => new RefusedInput('newPrimary', texts.localized('domains.newPrimaryInvalid', { host })),
  ownAlready: (host: string) => new RefusedInput('tenantId', texts.localized('domains.sameTenant', { host })),
  movedMeanwhile: (host: string) => new RefusedInput('host', texts.localized('domains.changedMeanwhile', { host })),
};
