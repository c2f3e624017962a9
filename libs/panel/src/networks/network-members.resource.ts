import { memberStates, NetworkMember } from '#places';
import { Tenant, User, TenantDb } from '#tenancy';
import { foldedColumnSql } from '#kernel';
import type { PanelEntry, PanelSource, ResourceProvider } from '#panel-kit';
import { searchProperty, entityReader, inBoth, labels, PanelResource } from '#panel-kit';
import { memberStateLabels, memberStateTones } from './networks.words.js';

/** Which tenants send their events to which network, on the whole server. Places and networks decide that themselves. */
@PanelResource({ panels: 'root', position: 50 })
export class NetworkMembersResource implements ResourceProvider {
  constructor(private readonly db: TenantDb) {}

  entry(): PanelEntry {
    const { db } = this;
    const source: PanelSource = {
      id: 'networks',
      properties: [
        { name: 'id', type: 'uuid', isId: true },
        searchProperty,
        { name: 'title', type: 'string', isTitle: true, editable: false, filterable: false },
        { name: 'networkId', type: 'reference', reference: 'tenants', editable: false },
        { name: 'tenantId', type: 'reference', reference: 'tenants', editable: false },
        { name: 'state', type: 'string', editable: false, availableValues: memberStates, tones: memberStateTones },
        { name: 'sentTags', type: 'string', editable: false, filterable: false },
        { name: 'showsOthers', type: 'boolean', editable: false },
        { name: 'askedAt', type: 'datetime', editable: false },
        { name: 'decidedAt', type: 'datetime', editable: false },
        { name: 'decidedByName', type: 'string', editable: false, filterable: false },
        { name: 'leftAt', type: 'datetime', editable: false, hidesEmpty: true },
      ],
      ...entityReader({
        open: (work) => db.shared(work),
        entity: NetworkMember,
        alias: 'member',
        joins: (query) =>
          query
            .innerJoin(Tenant, 'network', 'network.id = member.networkId')
            .innerJoin(Tenant, 'tenant', 'tenant.id = member.tenantId')
            .leftJoin(User, 'decider', 'decider.id = member.decidedBy'),
        columns: {
          id: 'member.id',
          title: `concat(tenant.name, ' – ', network.name)`,
          networkId: 'member.networkId',
          tenantId: 'member.tenantId',
          state: 'member.state',
          sentTags: `array_to_string(member.sent_tags, ', ')`,
          showsOthers: 'member.showsOthers',
          askedAt: 'member.askedAt',
          decidedAt: 'member.decidedAt',
          decidedByName: 'decider.name',
          leftAt: 'member.leftAt',
        },
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
      list: ['networkId', 'tenantId', 'state', 'sentTags', 'askedAt', 'decidedAt'],
      show: ['networkId', 'tenantId', 'state', 'sentTags', 'showsOthers', 'askedAt', 'decidedAt', 'decidedByName', 'leftAt', 'id'], // prettier-ignore
      filter: ['search', 'networkId', 'tenantId', 'state', 'showsOthers', 'askedAt'],
      sort: { by: 'askedAt', direction: 'desc' },
      words: inBoth((language) => ({ ...words[language], values: { state: labels(memberStateLabels, language) } })),
    };
  }
}

const words = {
  en: {
    plural: 'Networks',
    singular: 'Membership of a network',
    properties: {
      networkId: 'Network',
      tenantId: 'Tenant',
      state: 'State',
      sentTags: 'Sends only events with the tags',
      showsOthers: 'Shows the events of others',
      askedAt: 'Asked',
      decidedAt: 'Decided',
      decidedByName: 'Decided by',
      leftAt: 'Left',
      id: 'Identifier',
    },
  },
  fr: {
    plural: 'Réseaux',
    singular: 'Appartenance à un réseau',
    properties: {
      networkId: 'Réseau',
      tenantId: 'Lieu',
      state: 'État',
      sentTags: 'N’envoie que les événements avec les étiquettes',
      showsOthers: 'Montre les événements des autres',
      askedAt: 'Demandé',
      decidedAt: 'Décidé',
      decidedByName: 'Décidé par',
      leftAt: 'Parti',
      id: 'Identifiant',
    },
  },
};
