import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { hostOf, Outbound, RefusedInput } from '#kernel';
import { demandModule, TenantDb, type Tx } from '#tenancy';
import { dequeueEndpoint, enqueueEndpoint, wakeEndpoint } from '../delivery/delivery-queue.service.js';
import { OutboxService } from '../outbox/outbox.service.js';
import { everyType, isWebhookEventType, webhookEventTypes } from '../webhook-events.js';
import { problem } from '../webhooks.problems.js';
import { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';
import { WebhookSecrets } from '../endpoints/webhook-secrets.js';
import { texts } from '../locales/webhooks.texts.js';

export const endpointsPerTenant = 20;
/** Maximum length of an address, with its escapes: `é` has six characters then. */
export const longestUrl = 2000;
/** Hours during which the previous secret still signs deliveries beside the new one. */
export const rotationHours = 24;

export interface NewEndpoint {
  readonly url: string;
  readonly types: readonly string[];
  readonly description?: string | null;
}

export interface EndpointChange extends Partial<NewEndpoint> {
  readonly enabled?: boolean;
}

/** Manages the webhook endpoints of the current tenant. */
@Injectable()
export class WebhookEndpointsService {
  constructor(
    private readonly db: TenantDb,
    private readonly secrets: WebhookSecrets,
    private readonly outbound: Outbound,
    private readonly outbox: OutboxService,
  ) {}

  list(): Promise<WebhookEndpoint[]> {
    return this.db.transaction((tx) => tx.find(WebhookEndpoint, { order: { createdAt: 'ASC', id: 'ASC' } }));
  }

  /** @throws Problem 404 `webhook_endpoint.unknown` */
  get(id: string): Promise<WebhookEndpoint> {
    return this.db.transaction((tx) => find(tx, id));
  }

  /**
   * Creates an endpoint.
   * @returns the endpoint with its secret, which is stored encrypted and cannot be read again
   * @throws RefusedInput on url or types; Problem 409 `webhook_endpoint.too_many`, 403 `tenant.module`
   */
  async create(input: NewEndpoint): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
    demandModule('events');
    const url = this.checkedUrl(input.url);
    const types = checkedTypes(input.types);
    const { secret, sealed } = this.secrets.mint();
    return this.db.transactionOnce(async (tx) => {
      // Locks the feed row before counting, so that two concurrent creations cannot both pass the limit.
      await tx.query('select 1 from webhook_feed for update');
      if ((await tx.count(WebhookEndpoint)) >= endpointsPerTenant) {
        throw problem('webhook_endpoint.too_many', { parameters: { limit: endpointsPerTenant } });
      }
      const description = input.description?.trim() || null;
      const { identifiers } = await tx.insert(WebhookEndpoint, { url, types, description, sealedSecret: sealed });
      const { id } = identifiers[0] as { id: string };
      await enqueueEndpoint(tx, id);
      return { endpoint: await find(tx, id), secret };
    });
  }

  /**
   * Changes an endpoint. Disabling keeps waiting deliveries; enabling sends them.
   * @param check receives the new types when the change adds types, changes the URL or enables the endpoint; with a new URL it also
   * receives the types of existing deliveries, which may be sent again. An error that it throws rejects the change
   * @throws RefusedInput on url or types; Problem 404 `webhook_endpoint.unknown`
   */
  async update(id: string, change: EndpointChange, check: (types: readonly string[]) => void = () => undefined): Promise<WebhookEndpoint> {
    const values = {
      ...(change.url === undefined ? {} : { url: this.checkedUrl(change.url) }),
      ...(change.types === undefined ? {} : { types: checkedTypes(change.types) }),
      ...(change.description === undefined ? {} : { description: change.description?.trim() || null }),
    };
    return this.db.transaction(async (tx) => {
      // Deliveries are created under the lock of the feed row, so none of the old types is added after the check.
      if (values.url !== undefined) await tx.query('select 1 from webhook_feed for update');
      const endpoint = await find(tx, id, true);
      const moves = values.url !== undefined && values.url !== endpoint.url;
      if (values.url !== undefined || values.types !== undefined || change.enabled)
        check([...(values.types ?? endpoint.types), ...(moves ? await deliveredTypes(tx, id) : [])]);
      if (Object.keys(values).length > 0) await tx.update(WebhookEndpoint, { id }, values);
      // A pause or failures of the old receiver do not apply to the new one.
      if (moves) await this.sendWhatWaits(tx, id);
      if (change.enabled === false && !endpoint.disabledAt) {
        await tx.update(WebhookEndpoint, { id }, { disabledAt: () => 'now()', disabledReason: 'staff' });
      }
      if (change.enabled === true && endpoint.disabledAt) {
        await tx.update(WebhookEndpoint, { id }, { disabledAt: null, disabledReason: null });
        await this.sendWhatWaits(tx, id);
      }
      return find(tx, id);
    });
  }

  /** Deletes the endpoint and its deliveries. @throws Problem 404 `webhook_endpoint.unknown` */
  async remove(id: string): Promise<void> {
    await this.db.transaction(async (tx) => {
      const { affected } = await tx.delete(WebhookEndpoint, { id });
      if (affected === 0) throw problem('webhook_endpoint.unknown');
      await dequeueEndpoint(tx, id);
    });
  }

  /**
   * Creates a new secret. For 24 hours deliveries are signed with the old secret as well, so that the receiver has time to change.
   * @throws Problem 404 `webhook_endpoint.unknown`
   */
  async rotateSecret(id: string): Promise<{ secret: string; previousValidUntil: Date }> {
    const { secret, sealed } = this.secrets.mint();
    return this.db.transactionOnce(async (tx) => {
      await find(tx, id, true);
      await tx.query(
        `update webhook_endpoint set sealed_previous_secret = sealed_secret, sealed_secret = $2,
           previous_secret_expires_at = now() + interval '${rotationHours} hours' where id = $1`,
        [id, sealed],
      );
      const { previousSecretExpiresAt } = await find(tx, id);
      return { secret, previousValidUntil: previousSecretExpiresAt as Date };
    });
  }

  /** Resets the failures of an endpoint and makes its waiting deliveries due now. */
  private async sendWhatWaits(tx: Tx, id: string): Promise<void> {
    await tx.update(WebhookEndpoint, { id }, { failingSince: null, pausedUntil: null });
    await tx.query(
      `update webhook_delivery set next_attempt_at = now(), ahead_of_schedule = failures > 0 where endpoint_id = $1 and status = 'waiting'`,
      [id],
    );
    await wakeEndpoint(tx, id);
    this.db.afterCommit(tx, () => this.outbox.notify());
  }

  /** Refuses literal private addresses at once; the addresses behind a host name are checked at each connection. */
  private checkedUrl(text: string): string {
    const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.href.length > longestUrl) {
      throw new RefusedInput('url', texts.localized('webhookEndpoints.urlInvalid'));
    }
    if (url.username || url.password || url.hash) {
      throw new RefusedInput('url', texts.localized('webhookEndpoints.urlWithUser'));
    }
    if (this.outbound.isException(url)) return url.href;
    const host = hostOf(url);
    if ((isIP(host) && !this.outbound.lets(host)) || /(^|\.)(localhost|local|internal)$/.test(host)) {
      throw new RefusedInput('url', texts.localized('webhookEndpoints.urlNotPublic'));
    }
    if (url.protocol === 'http:') {
      throw new RefusedInput('url', texts.localized('webhookEndpoints.httpsRequired'));
    }
    return url.href;
  }
}

async function find(tx: Tx, id: string, forUpdate = false): Promise<WebhookEndpoint> {
  const endpoint = await tx.findOne(WebhookEndpoint, {
    where: { id },
    ...(forUpdate ? { lock: { mode: 'pessimistic_write' as const } } : {}),
  });
  if (!endpoint) throw problem('webhook_endpoint.unknown');
  return endpoint;
}

/** The types of all existing deliveries of an endpoint. */
async function deliveredTypes(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx.query<{ type: string }[]>(
    'select distinct v.type from webhook_delivery d join webhook_event v on v.id = d.event_id where d.endpoint_id = $1',
    [id],
  );
  return rows.map(({ type }) => type);
}

function checkedTypes(types: readonly string[]): string[] {
  const unknown = types.find((type) => type !== everyType && !isWebhookEventType(type));
  if (unknown !== undefined || types.length === 0) {
    const known = [...webhookEventTypes, everyType].join(', ');
    const text =
      unknown === undefined
        ? texts.localized('webhookEndpoints.typeMissing', { known })
        : texts.localized('webhookEndpoints.unknownType', { type: unknown.slice(0, 60), known });
    throw new RefusedInput('types', text);
  }
  return types.includes(everyType) ? [everyType] : webhookEventTypes.filter((type) => types.includes(type));
}
