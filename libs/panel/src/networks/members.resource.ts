import { memberStates, NetworkMember, NetworksService } from '#places';
import { categories, currentTenant, Domain, Tenant, User, TenantDb } from '#tenancy';
import type { PanelEntry, PanelSource, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  PanelFieldError,
  entityReader,
  textOf,
  categoryLabels,
  inEachLanguage,
  labels,
  PanelResource,
  declareProperties,
} from '#panel-kit';
import { memberStateLabels, memberStateTones, memberWords } from './networks.words.js';

/** Members of the network that the tenant runs, and requests for membership. */
@PanelResource({ panels: 'tenant', position: 140, modules: 'federated-agenda' })
export class MembersResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly networks: NetworksService,
  ) {}

  entry(): PanelEntry {
    const { db, networks } = this;
    const declared = declareProperties(
      {
        id: {},
        name: { isTitle: true, list: true, filter: true, sql: 'tenant.name' },
        state: { availableValues: memberStates, tones: memberStateTones, list: true, show: true, filter: true },
        category: {
          availableValues: Object.keys(categories),
          list: true,
          show: true,
          filter: true,
          sql: 'tenant.category',
        },
        host: { list: true, show: true, sql: 'domain.host' },
        sentTags: { type: 'string', show: true, filter: false, sql: `array_to_string(member.sent_tags, ', ')` },
        events: {
          type: 'number',
          sort: false,
          list: true,
          show: true,
          filter: false,
          sql: `(select count(*)::int from shared.federated_event sent where sent.network_id = member.network_id
          and sent.tenant_id = member.tenant_id and sent.over_at >= now() and not sent.is_cancelled)`,
        },
        askedAt: { list: true, show: true, filter: true },
        decidedAt: { show: true },
        decidedByName: { show: true, sql: 'decider.name' },
        leftAt: { show: true },
        tenantId: { filter: false },
      },
      { entity: NetworkMember, alias: 'member' },
    );

    const source: PanelSource = {
      id: 'members',
      properties: declared.properties,
      ...entityReader({
        ...declared.reading,
        open: (work) => db.shared(work),
        joins: (query) =>
          query
            .innerJoin(Tenant, 'tenant', 'tenant.id = member.tenantId')
            .leftJoin(Domain, 'domain', 'domain.tenantId = member.tenantId and domain.isPrimary')
            .leftJoin(User, 'decider', 'decider.id = member.decidedBy'),
        where: 'member.network_id = :networkId',
        parameters: () => ({ networkId: currentTenant().id }),
        sort: { by: 'askedAt', direction: 'desc' },
      }),
    };
    const decide =
      (verb: 'accept' | 'refuse' | 'remove', message: string) =>
      async (id: string): Promise<{ message: string }> => {
        const { language, user } = currentPanelRequest();
        const tenantId = textOf((await source.findOne(id))?.['tenantId']);
        if (tenantId === '' || !(await networks[verb](tenantId, user?.id)))
          throw new PanelFieldError({}, memberWords[language].messages?.['changedMeanwhile']);
        return { message };
      };
    return {
      source,
      group: 'programme',
      icon: 'Users',
      rare: true,
      ...declared.places,
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
      words: inEachLanguage((language) => ({
        ...memberWords[language],
        values: { state: labels(memberStateLabels, language), category: categoryLabels(language) },
      })),
    };
  }
}
