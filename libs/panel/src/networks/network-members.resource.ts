import { memberStates, NetworkMember } from '#places';
import { Tenant, User, TenantDb } from '#tenancy';
import { foldedColumnSql } from '#kernel';
import type { PanelEntry, PanelSource, ResourceProvider } from '#panel-kit';
import { searchProperty, entityReader, inEachLanguage, labels, PanelResource, declareProperties } from '#panel-kit';
import { memberStateLabels, memberStateTones } from './networks.words.js';
import { texts } from '../locales/panel.texts.js';

/** Memberships of tenants in networks, on the whole server. Read-only: tenants and networks decide on them. */
@PanelResource({ panels: 'root', position: 50 })
export class NetworkMembersResource implements ResourceProvider {
  constructor(private readonly db: TenantDb) {}

  entry(): PanelEntry {
    const { db } = this;
    const declared = declareProperties(
      {
        id: { show: 10 },
        search: { ...searchProperty, filter: true },
        title: { isTitle: true, filter: false, sql: `concat(tenant.name, ' – ', network.name)` },
        networkId: { reference: 'tenants', list: true, show: true, filter: true },
        tenantId: { reference: 'tenants', list: true, show: true, filter: true },
        state: { availableValues: memberStates, tones: memberStateTones, list: true, show: true, filter: true },
        sentTags: {
          type: 'string',
          list: true,
          show: true,
          filter: false,
          sql: `array_to_string(member.sent_tags, ', ')`,
        },
        showsOthers: { show: true, filter: true },
        askedAt: { list: true, show: true, filter: true },
        decidedAt: { list: true, show: true },
        decidedByName: { show: true, filter: false, sql: 'decider.name' },
        leftAt: { show: true },
      },
      { entity: NetworkMember, alias: 'member' },
    );

    const source: PanelSource = {
      id: 'networks',
      properties: declared.properties,
      ...entityReader({
        ...declared.reading,
        open: (work) => db.shared(work),
        joins: (query) =>
          query
            .innerJoin(Tenant, 'network', 'network.id = member.networkId')
            .innerJoin(Tenant, 'tenant', 'tenant.id = member.tenantId')
            .leftJoin(User, 'decider', 'decider.id = member.decidedBy'),
        searched: {
          own: ['tenant.name', 'tenant.slug', 'network.name', 'network.slug'].map(foldedColumnSql),
          ids: ['member.id'],
        },
        sort: { by: 'askedAt', direction: 'desc' },
      }),
    };
    return {
      source,
      group: 'server',
      icon: 'Share2',
      ...declared.places,
      sort: { by: 'askedAt', direction: 'desc' },
      words: inEachLanguage((language) => ({ ...words[language], values: { state: labels(memberStateLabels, language) } })),
    };
  }
}

const words = texts.perLanguage('networkMembers', ({ words }) => words);
