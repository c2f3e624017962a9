import { Domain } from '#tenancy';
import type { Domains, TenantDb } from '#tenancy';
import type { PanelEntry } from '../panel-entry.js';
import type { PanelSource } from '../panel-source.js';
import { entityReader } from './entity-reader.js';
import { textOf } from './form-values.js';
import { refusable } from './refusals.js';

/** The host names that answer for tenants. */
export function domainsResource(db: TenantDb, domains: Domains): PanelEntry {
  const source: PanelSource = {
    id: 'domains',
    properties: [
      { name: 'host', type: 'string', isId: true, isTitle: true, editable: true, required: true, help: 'hostHelp' },
      { name: 'tenantId', type: 'reference', reference: 'tenants', required: true },
      { name: 'isPrimary', type: 'boolean', editable: false },
    ],
    ...entityReader({
      open: (work) => db.shared(work),
      entity: Domain,
      alias: 'domain',
      columns: { host: 'domain.host', tenantId: 'domain.tenantId', isPrimary: 'domain.isPrimary' },
      sort: { by: 'host', direction: 'asc' },
    }),
    create: async ({ host, tenantId }) => {
      const domain = await refusable(() => domains.add(textOf(tenantId), textOf(host)));
      return { host: domain.host, tenantId: domain.tenantId, isPrimary: false };
    },
    remove: async (host) => {
      await refusable(() => domains.remove(host));
    },
  };
  const isPrimary = (value: unknown): boolean => value === true || value === 'true';
  return {
    source,
    group: 'server',
    icon: 'Globe',
    list: ['host', 'tenantId', 'isPrimary'],
    edit: ['host', 'tenantId'],
    sort: { by: 'host', direction: 'asc' },
    actions: {
      makePrimary: {
        icon: 'Star',
        guard: 'makePrimarySure',
        visible: (row) => !isPrimary(row['isPrimary']),
        act: async (host) => {
          await domains.makePrimary(host);
          return { message: 'madePrimary' };
        },
      },
    },
    words: {
      en: {
        plural: 'Domains',
        singular: 'Domain',
        properties: { host: 'Host', tenantId: 'Tenant', isPrimary: 'Primary' },
        actions: { new: 'New domain', makePrimary: 'Make primary', delete: 'Remove' },
        messages: {
          hostHelp: 'Such as tickets.example.org. Its DNS must lead to this server.',
          makePrimarySure: 'Make this the primary domain? Pages on the tenant’s other domains will lead here.',
          madePrimary: 'This is the primary domain now',
        },
      },
      fr: {
        plural: 'Domaines',
        singular: 'Domaine',
        properties: { host: 'Hôte', tenantId: 'Lieu', isPrimary: 'Principal' },
        actions: { new: 'Nouveau domaine', makePrimary: 'Rendre principal', delete: 'Retirer' },
        messages: {
          hostHelp: 'Par exemple billets.example.org. Son DNS doit mener à ce serveur.',
          makePrimarySure: 'En faire le domaine principal ? Les pages des autres domaines du lieu mèneront ici.',
          madePrimary: 'C’est maintenant le domaine principal',
        },
      },
    },
  };
}
