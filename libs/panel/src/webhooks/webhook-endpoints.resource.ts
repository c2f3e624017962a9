import { TenantDb } from '#tenancy';
import { WebhookEndpoint, WebhookDeliveriesService, WebhookEndpointsService } from '#webhooks';
import type { PanelEntry, PanelRow, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  PanelFieldError,
  entityReader,
  textOf,
  listHref,
  recordHref,
  related,
  relatedProperty,
  inEachLanguage,
  labels,
  keepToReveal,
  PanelResource,
  declareProperties,
} from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { endpointActions, ENDPOINTS, secretOf } from './webhook-endpoints.actions.js';
import { allDeliveries, words } from './webhook-endpoints.words.js';
import { deliveryStates, deliveryTones, outcomeOf, typeName, wantedTypes } from './webhook-words.js';

/** Converts the form's values to the service's input; fields that were not sent do not change. */
function toChange({ url, description, types }: PanelRow): { url?: string; description?: string; types?: string[] } {
  // An own message, because the service's lists all types by their codes, which the panel does not show.
  if (Array.isArray(types) && types.length === 0) throw new PanelFieldError({ types: { message: 'typesNone' } });
  return {
    ...(url !== undefined && { url: textOf(url) }),
    ...(description !== undefined && { description: textOf(description) }),
    ...(types !== undefined && { types: types as string[] }),
  };
}

async function lastDeliveries(deliveries: WebhookDeliveriesService, endpointId: string): Promise<PanelValue> {
  const { language } = currentPanelRequest();
  const last = await deliveries.list({ endpointId, limit: 10 });
  const items = last.map(({ id, event, status, createdAt, lastStatus, lastFailure }) => ({
    title: typeName(event.type, language),
    href: recordHref('webhook-deliveries', id),
    at: createdAt.toISOString(),
    details: outcomeOf({ status: lastStatus, failure: lastFailure }, language),
    badge: { text: deliveryStates[status][language], tone: deliveryTones[status] },
  }));
  const all = { href: listHref('webhook-deliveries', { endpointId }), label: allDeliveries[language] };
  return related(items, items.length > 0 ? all : undefined);
}

/** The tenant's webhook endpoints. */
@PanelResource({ panels: 'tenant', position: 180, modules: 'events' })
export class WebhookEndpointsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: WebhookDeliveriesService,
  ) {}

  entry(): PanelEntry {
    const { db, endpoints, deliveries } = this;
    const declared = declareProperties(
      {
        id: { show: 8 },
        url: { type: 'url', isTitle: true, help: 'urlHelp', list: true, form: true, filter: true },
        state: {
          availableValues: ['active', 'paused', 'failing', 'disabled'],
          tones: { active: 'good', paused: 'waiting', failing: 'bad', disabled: 'quiet' },
          components: { show: 'EndpointState' },
          list: true,
          show: true,
          filter: true,
          sql: `case when endpoint.disabled_at is not null then 'disabled' when endpoint.paused_until > now() then 'paused'
    when endpoint.failing_since is not null then 'failing' else 'active' end`,
        },
        lastSuccessAt: { list: true, show: true },
        waiting: {
          type: 'number',
          list: true,
          show: true,
          filter: false,
          sql: `(select count(*)::int from webhook_delivery delivery where delivery.endpoint_id = endpoint.id
            and delivery.status = 'waiting')`,
        },
        disabledReason: {},
        disabledAt: {},
        failingSince: {},
        pausedUntil: { sql: 'case when endpoint.paused_until > now() then endpoint.paused_until end' },
        previousSecretExpiresAt: {
          sql: 'case when endpoint.previous_secret_expires_at > now() then endpoint.previous_secret_expires_at end',
        },
        createdAt: { show: 7 },
        deliveries: { ...relatedProperty('deliveries'), show: true },
        description: { sort: false, help: 'descriptionHelp', show: true, form: true, filter: true },
        types: {
          type: 'string',
          isArray: true,
          availableValues: Object.keys(wantedTypes),
          sort: false,
          components: { edit: 'WordChecks', list: 'WordList', show: 'WordList' },
          list: 3,
          show: 5,
          form: true,
          filter: false,
        },
      },
      { entity: WebhookEndpoint, alias: 'endpoint' },
    );

    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      sort: { by: 'createdAt', direction: 'desc' },
    });
    const source: PanelSource = {
      id: ENDPOINTS,
      properties: declared.properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        return row && { ...row, deliveries: await lastDeliveries(deliveries, id) };
      },
      create: async (values) => {
        const { url = '', types = [], ...rest } = toChange(values);
        const { endpoint, secret } = await refusable(() => endpoints.create({ url, types, ...rest }));
        keepToReveal(secretOf(endpoint.id), secret);
        return { id: endpoint.id, url: endpoint.url };
      },
      update: async (id, values) => {
        await refusable(() => endpoints.update(id, toChange(values)));
        return source.findOne(id);
      },
      remove: (id) => refusable(() => endpoints.remove(id)),
    };
    return {
      source,
      support: 'readOnly',
      group: 'settings',
      icon: 'Send',
      rare: true,
      ...declared.places,
      sort: { by: 'createdAt', direction: 'desc' },
      afterNew: 'reveal',
      actions: endpointActions(endpoints, deliveries),
      words: inEachLanguage((language) => ({
        ...words[language],
        values: { ...words[language].values, types: labels(wantedTypes, language) },
      })),
    };
  }
}
