import { Global, Module } from '@nestjs/common';
import { Deliverer } from './delivery/deliverer.service.js';
import { DeliveryPace } from './delivery/delivery-pace.js';
import { DeliveryQueue } from './delivery/delivery-queue.service.js';
import { DeliveryRetention } from './delivery/delivery-retention.service.js';
import { WebhookAttempt, WebhookDelivery } from './delivery/webhook-delivery.entity.js';
import { WebhookDeliveries } from './delivery/webhook-deliveries.service.js';
import { WebhookRequests } from './delivery/webhook-request.js';
import { WebhookWorker } from './delivery/webhook-worker.js';
import { WebhookEndpoint, WebhookQueueRow } from './endpoints/webhook-endpoint.entity.js';
import { WebhookEndpointsController } from './api/webhook-endpoints.controller.js';
import { WebhookEndpoints } from './api/webhook-endpoints.service.js';
import { WebhookSecrets } from './endpoints/webhook-secrets.js';
import { Dispatcher } from './outbox/dispatcher.service.js';
import { OutboxRow } from './outbox/outbox-message.entity.js';
import { Outbox } from './outbox/outbox.service.js';
import { WebhookEvent, WebhookFeedCounter } from './outbox/webhook-event.entity.js';
import { PayloadRenderers } from './outbox/payload-renderers.js';
import { WebhookFeedController } from './api/webhook-feed.controller.js';
import { WebhookFeed } from './outbox/webhook-feed.service.js';

export const webhookEntities = [
  OutboxRow,
  WebhookQueueRow,
  WebhookEvent,
  WebhookFeedCounter,
  WebhookEndpoint,
  WebhookDelivery,
  WebhookAttempt,
];

const shared = [Outbox, PayloadRenderers, WebhookEndpoints, WebhookDeliveries, WebhookWorker, Dispatcher];

/** Outbox, feed, endpoints and deliveries. Global, because all domain libs publish events. */
@Global()
@Module({
  controllers: [WebhookEndpointsController, WebhookFeedController],
  providers: [...shared, WebhookFeed, WebhookSecrets, WebhookRequests, DeliveryPace, DeliveryQueue, Deliverer, DeliveryRetention],
  exports: shared,
})
export class WebhooksModule {}
