import { memberStates, NetworkMember, NetworksService } from '#places';
import { categories, currentTenant, Domain, Tenant, User, TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  PanelFieldError,
  entityReader,
  textOf,
  categoryLabels,
  inBoth,
  labels,
  PanelResource,
} from '#panel-kit';
import { memberStateLabels, memberStateTones, memberWords } from './networks.words.js';

/** The places that send their events to the network, and those that ask to. */
@PanelResource({ panels: 'tenant', position: 140, modules: 'federated-agenda' })
export class MembersResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly networks: NetworksService,
  ) {}

  entry(): PanelEntry {
    const { db, networks } = this;
    const source: PanelSource = {
      id: 'members',
      properties: [
        { name: 'id', type: 'uuid', isId: true },
        { name: 'name', type: 'string', isTitle: true, editable: false },
        { name: 'category', type: 'string', editable: false, availableValues: Object.keys(categories) },
        { name: 'host', type: 'string', editable: false },
        { name: 'state', type: 'string', editable: false, availableValues: memberStates, tones: memberStateTones },
        { name: 'sentTags', type: 'string', editable: false, filterable: false },
        { name: 'events', type: 'number', editable: false, filterable: false, sortable: false },
        { name: 'askedAt', type: 'datetime', editable: false },
        { name: 'decidedAt', type: 'datetime', editable: false },
        { name: 'decidedByName', type: 'string', editable: false },
        { name: 'leftAt', type: 'datetime', editable: false },
        { name: 'tenantId', type: 'uuid', editable: false, filterable: false },
      ],
      ...entityReader({
        open: (work) => db.shared(work),
        entity: NetworkMember,
        alias: 'member',
        joins: (query) =>
          query
            .innerJoin(Tenant, 'tenant', 'tenant.id = member.tenantId')
            .leftJoin(Domain, 'domain', 'domain.tenantId = member.tenantId and domain.isPrimary')
            .leftJoin(User, 'decider', 'decider.id = member.decidedBy'),
        where: 'member.network_id = :networkId',
        parameters: () => ({ networkId: currentTenant().id }),
        columns: {
          id: 'member.id',
          name: 'tenant.name',
          category: 'tenant.category',
          host: 'domain.host',
          state: 'member.state',
          sentTags: `array_to_string(member.sent_tags, ', ')`,
          events: `(select count(*)::int from shared.federated_event sent where sent.network_id = member.network_id
          and sent.tenant_id = member.tenant_id and sent.over_at >= now() and not sent.is_cancelled)`,
          askedAt: 'member.askedAt',
          decidedAt: 'member.decidedAt',
          decidedByName: 'decider.name',
          leftAt: 'member.leftAt',
          tenantId: 'member.tenantId',
        },
        sort: { by: 'askedAt', direction: 'desc' },
      }),
    };
    const decide =
      (verb: 'accept' | 'refuse' | 'remove', said: string) =>
      async (id: string): Promise<{ message: string }> => {
        const { language, user } = currentPanelRequest();
        const tenantId = textOf((await source.findOne(id))?.['tenantId']);
        if (tenantId === '' || !(await networks[verb](tenantId, user?.id)))
          throw new PanelFieldError({}, memberWords[language].messages?.['changedMeanwhile']);
        return { message: said };
      };
    return {
      source,
      group: 'programme',
      icon: 'Users',
      list: ['name', 'state', 'category', 'host', 'events', 'askedAt'],
      show: ['state', 'category', 'host', 'sentTags', 'events', 'askedAt', 'decidedAt', 'decidedByName', 'leftAt'],
      filter: ['name', 'state', 'category', 'askedAt'],
      sort: { by: 'askedAt', direction: 'desc' },
      actions: {
        accept: {
          icon: 'Check',
          variant: 'primary',
          guard: 'acceptSure',
          visible: ({ state }) => state === 'asked' || state === 'refused',
          act: decide('accept', 'accepted'),
        },
        refuse: {
          icon: 'X',
          variant: 'danger',
          guard: 'refuseSure',
          visible: ({ state }) => state === 'asked',
          act: decide('refuse', 'refused'),
        },
        remove: {
          icon: 'UserMinus',
          variant: 'danger',
          guard: 'removeSure',
          visible: ({ state }) => state === 'accepted',
          act: decide('remove', 'removed'),
        },
      },
      words: inBoth((language) => ({
        ...memberWords[language],
        values: { state: labels(memberStateLabels, language), category: categoryLabels(language) },
      })),
    };
  }
}
