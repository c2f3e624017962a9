import { defineSchema, describeWebhook, objectSchema, schemaOf, type RouteDescription } from '#http';
import { attemptFailures } from '../delivery/attempt-failures.js';
import { everyType, webhookEvents, webhookEventTypes } from '../webhook-events.js';
import { DeliveriesQuery, EndpointChangeBody, FeedQuery, NewEndpointBody, SendAgainBody } from './webhooks.dto.js';

const tag = 'Webhooks';
const { uuid, text, instant, url, boolean, count } = schemaOf;

const secret = { type: 'string', pattern: '^whsec_', description: 'Shown this once.' } as const;
const endpointMembers = {
  identifier: uuid,
  url,
  types: { type: 'array', items: { enum: [...webhookEventTypes, everyType] }, minItems: 1 },
  description: text,
  enabled: boolean,
  disabledReason: { enum: ['staff', 'gone', 'failing'] },
  disabledAt: instant,
  failingSince: instant,
  lastSuccessAt: instant,
  previousSecretValidUntil: instant,
  dateCreated: instant,
} as const;
const optionalMembers = ['description', 'disabledReason', 'disabledAt', 'failingSince', 'lastSuccessAt', 'previousSecretValidUntil'];

const endpoint = defineSchema('WebhookEndpoint', objectSchema(endpointMembers, { optional: optionalMembers }));
const newEndpoint = defineSchema('NewWebhookEndpoint', objectSchema({ ...endpointMembers, secret }, { optional: optionalMembers }));
const delivery = defineSchema(
  'WebhookDelivery',
  objectSchema(
    {
      identifier: uuid,
      event: uuid,
      type: text,
      status: { enum: ['waiting', 'delivered', 'failed'] },
      attempts: count,
      lastAttemptAt: instant,
      lastStatus: { type: 'integer' },
      lastFailure: { enum: Object.keys(attemptFailures) },
      nextAttemptAt: instant,
      dateCreated: instant,
    },
    { optional: ['lastAttemptAt', 'lastStatus', 'lastFailure', 'nextAttemptAt'] },
  ),
);
/** What an event tells of its object. */
const data = {
  type: 'object',
  description: 'The object as the API shows it.',
  properties: { sequence: { type: 'integer', minimum: 1, description: 'Counts the changes of this object.' } },
  required: ['sequence'],
} as const;
const event = defineSchema(
  'WebhookEvent',
  objectSchema(
    {
      identifier: { ...uuid, description: 'The webhook-id of its deliveries.' },
      position: count,
      type: { enum: webhookEventTypes },
      timestamp: instant,
      data,
    },
    { description: 'Deliveries carry type, timestamp and data as their body.' },
  ),
);
const listOf = (schema: object, more: object = {}): ReturnType<typeof objectSchema> =>
  objectSchema({ results: { type: 'array', items: schema }, ...more });

const endpointExample = {
  identifier: '6f1c8f0e-2f0b-4a0e-9a63-5d3f3b8f1a11',
  url: 'https://example.org/hook',
  types: ['ticket.scanned', 'ticket.scan_undone'],
  enabled: true,
  dateCreated: '2026-11-21T11:15:37.383+01:00',
};
const id = { id: { description: 'Identifier of the endpoint.', example: endpointExample.identifier } };
const unknown = ['webhook_endpoint.unknown'];

/** Descriptions of the webhook API's routes. */
export const webhooksApi = {
  list: {
    tag,
    summary: 'All webhook endpoints',
    description: 'Secrets are not shown again.',
    answers: {
      200: { description: 'The endpoints', schema: listOf(endpoint), example: { results: [endpointExample] } },
    },
  },
  create: {
    tag,
    summary: 'A new webhook endpoint',
    description:
      'At most 20. The secret signs every delivery (Standard Webhooks 1.0) and is shown this once. Types of reservations, tickets and memberships, and `*`, also need the scope that reads them.',
    body: { type: NewEndpointBody, example: { url: endpointExample.url, types: endpointExample.types } },
    answers: {
      201: {
        description: 'Made',
        schema: newEndpoint,
        example: { ...endpointExample, secret: 'whsec_avZSSW4YmshITKMYf/sDYKdHGUtrWtdTAXi4WELCE/8=' },
        headers: { Location: 'Its address.' },
      },
    },
    problems: ['webhook_endpoint.too_many'],
  },
  get: {
    tag,
    summary: 'One webhook endpoint',
    description: 'Its state and when it last answered. The secret is not shown again.',
    parameters: id,
    answers: { 200: { description: 'The endpoint', schema: endpoint, example: endpointExample } },
    problems: unknown,
  },
  change: {
    tag,
    summary: 'Change, disable or enable an endpoint',
    description: 'What is absent stays. Enabling, and another address, send what waits.',
    parameters: id,
    body: { type: EndpointChangeBody, example: { enabled: false } },
    answers: { 200: { description: 'The endpoint as it is now', schema: endpoint } },
    problems: unknown,
  },
  remove: {
    tag,
    summary: 'Delete an endpoint and its deliveries',
    description: 'Nothing is sent to it any more; what waits is dropped.',
    parameters: id,
    answers: { 204: { description: 'Deleted' } },
    problems: unknown,
  },
  rotateSecret: {
    tag,
    summary: 'A new secret',
    description: 'For 24 hours deliveries are signed with the old one as well.',
    parameters: id,
    answers: {
      200: {
        description: 'The new secret',
        schema: objectSchema({ identifier: uuid, secret, previousSecretValidUntil: instant }),
      },
    },
    problems: unknown,
  },
  ping: {
    tag,
    summary: 'Send a test',
    description: 'Sends `webhook.ping` to this endpoint alone. It does not appear in the feed.',
    parameters: id,
    answers: { 202: { description: 'On its way', schema: objectSchema({ delivery: uuid, event: uuid }) } },
    problems: [...unknown, 'webhook_endpoint.disabled'],
  },
  deliveries: {
    tag,
    summary: 'Deliveries of an endpoint, the newest first',
    description: 'Each with its state and the outcome of its last attempt. Kept for 30 days by default.',
    parameters: id,
    query: DeliveriesQuery,
    answers: { 200: { description: 'The deliveries', schema: listOf(delivery) } },
    problems: unknown,
  },
  sendAgain: {
    tag,
    summary: 'Send again',
    description: 'One delivery, or everything since a moment that did not arrive, what happened while the endpoint was disabled included.',
    parameters: id,
    body: { type: SendAgainBody, example: { since: '2026-11-20T18:00:00+01:00' } },
    answers: { 202: { description: 'On their way', schema: objectSchema({ deliveries: count }) } },
    problems: [...unknown, 'webhook_endpoint.disabled', 'webhook_delivery.unknown', 'webhook_delivery.choose'],
  },
  feed: {
    tag,
    summary: 'The feed: what happened lately (30 days by default), in commit order and without gaps',
    description: 'Types of reservations, tickets and memberships are left out for keys without the scope that reads them.',
    query: FeedQuery,
    answers: {
      200: {
        description: 'Events behind `after`, oldest first',
        schema: listOf(event, {
          next: { description: 'Send it as `after` next time.', type: ['integer', 'string'] },
          more: { ...boolean, description: 'There is more to get right now.' },
        }),
      },
    },
    problems: ['webhook_event.unknown', 'webhook_event.pruned'],
  },
} as const satisfies Record<string, RouteDescription>;

/** The schema that `data` follows, by the noun of the type. */
const shownAs: Readonly<Record<string, string>> = {
  event: 'an `Event`',
  reservation: 'an `EventReservation`',
  membership: 'a `ProgramMembership`',
  ticket: 'a ticket as `GET /api/ticket/` answers it',
};
for (const type of webhookEventTypes) {
  const [noun = ''] = type.split('.');
  describeWebhook(type, {
    summary: webhookEvents[type].en,
    description: `\`data\` is ${shownAs[noun] ?? 'an object'} as it was after the change, with its \`sequence\`. Answer 2xx within 15 seconds, and do each \`webhook-id\` once.`,
    data,
  });
}
