import { Global, Module } from '@nestjs/common';
import { DelivererService } from './delivery/deliverer.service.js';
import { DeliveryPace } from './delivery/delivery-pace.js';
import { DeliveryQueueService } from './delivery/delivery-queue.service.js';
import { DeliveryRetentionService } from './delivery/delivery-retention.service.js';
import { WebhookAttempt, WebhookDelivery } from './delivery/webhook-delivery.entity.js';
import { WebhookDeliveriesService } from './delivery/webhook-deliveries.service.js';
import { WebhookRequests } from './delivery/webhook-request.js';
import { WebhookWorker } from './delivery/webhook-worker.js';
import { WebhookEndpoint, WebhookQueueRow } from './endpoints/webhook-endpoint.entity.js';
import { WebhookEndpointsController } from './api/webhook-endpoints.controller.js';
import { WebhookEndpointsService } from './api/webhook-endpoints.service.js';
import { WebhookSecrets } from './endpoints/webhook-secrets.js';
import { DispatcherService } from './outbox/dispatcher.service.js';
import { OutboxRow } from './outbox/outbox-message.entity.js';
import { OutboxService } from './outbox/outbox.service.js';
import { WebhookEvent, WebhookFeedCounter } from './outbox/webhook-event.entity.js';
import { PersonalEventsService } from './outbox/personal-events.service.js';
import { PayloadRenderers } from './outbox/payload-renderers.js';
import { WebhookFeedController } from './api/webhook-feed.controller.js';
import { WebhookFeedService } from './outbox/webhook-feed.service.js';

export const webhookEntities = [
  OutboxRow,
  WebhookQueueRow,
  WebhookEvent,
  WebhookFeedCounter,
  WebhookEndpoint,
  WebhookDelivery,
  WebhookAttempt,
];

const shared = [
  OutboxService,
  PersonalEventsService,
  PayloadRenderers,
  WebhookEndpointsService,
  WebhookDeliveriesService,
  WebhookWorker,
  DispatcherService,
];

/** Outbox, feed, endpoints and deliveries. Global, because all domain libs publish events. */
@Global()
@Module({
  controllers: [WebhookEndpointsController, WebhookFeedController],
  providers: [
    ...shared,
    WebhookFeedService,
    WebhookSecrets,
    WebhookRequests,
    DeliveryPace,
    DeliveryQueueService,
    DelivererService,
    DeliveryRetentionService,
  ],
  exports: shared,
})
export class WebhooksModule {}
