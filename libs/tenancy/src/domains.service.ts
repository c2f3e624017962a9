import { Injectable } from '@nestjs/common';
import { RefusedInput, refuseUnfitText, violatedConstraint } from '#kernel';
import { Domain } from './domain.entity.js';
import { TenantDb } from './tenant-db.js';

/** Labels of letters, digits and hyphens (RFC 1123), 253 characters at most; international names in their ASCII form. */
const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** The host names that answer for tenants. Every process follows a change within a second. */
@Injectable()
export class Domains {
  constructor(private readonly db: TenantDb) {}

  /** Gives a tenant one more host name, which is not its primary one. @throws RefusedInput on host or tenantId */
  async add(tenantId: string, host: string): Promise<Domain> {
    refuseUnfitText('host', host, 300);
    const name = host.trim().toLowerCase().replace(/\.$/, '');
    if (!hostName.test(name) || /^[0-9.]+$/.test(name)) {
      throw new RefusedInput('host', {
        en: `"${host}" is not a host name such as tickets.example.org (without https://, port or path).`,
        fr: `« ${host} » n'est pas un nom d'hôte tel que billets.example.org (sans https://, port ni chemin).`,
      });
    }
    const domain = { host: name, tenantId, isPrimary: false };
    try {
      await this.db.shared((tx) => tx.insert(Domain, domain));
    } catch (error) {
      throw refusalOf(error, name) ?? error;
    }
    return domain as Domain;
  }

  /** The tenant's pages move to this host; its others redirect there. False when there is no such domain. */
  makePrimary(host: string): Promise<boolean> {
    return this.db.shared(async (tx) => {
      const domain = await tx.findOneBy(Domain, { host });
      if (!domain) return false;
      // All of the tenant's domains are locked, in one order, so that two changes at once take turns.
      await tx.query('select 1 from shared.domain where tenant_id = $1 order by host for update', [domain.tenantId]);
      await tx.update(Domain, { tenantId: domain.tenantId, isPrimary: true }, { isPrimary: false });
      const { affected } = await tx.update(Domain, { host }, { isPrimary: true });
      return affected === 1;
    });
  }

  /** @throws RefusedInput on host for a primary domain; false when there is no such domain */
  async remove(host: string): Promise<boolean> {
    const removed = await this.db.shared(async (tx) => {
      const domain = await tx.findOne(Domain, { where: { host }, lock: { mode: 'pessimistic_write' } });
      if (!domain?.isPrimary) return (await tx.delete(Domain, { host })).affected === 1;
      throw new RefusedInput('host', {
        en: 'This is the primary domain: make another one primary first.',
        fr: "C'est le domaine principal : choisissez-en d'abord un autre.",
      });
    });
    return removed;
  }
}

function refusalOf(error: unknown, host: string): RefusedInput | undefined {
  switch (violatedConstraint(error)) {
    case 'domain_pkey':
      return new RefusedInput('host', { en: `${host} is taken already.`, fr: `${host} est déjà pris.` });
    case 'domain_tenant_id_fkey':
      return new RefusedInput('tenantId', { en: 'There is no such tenant.', fr: "Ce lieu n'existe pas." });
    default:
      return undefined;
  }
}
