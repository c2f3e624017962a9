import { allWebhooks, type JsonSchema } from '#http';
import { getSchemaPath } from '@nestjs/swagger';

const text = { type: 'string' } as const;

const header = (name: string, description: string, schema: JsonSchema): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
});

const parameters = [
  header('webhook-id', 'Names the event: the same at every attempt.', { ...text, format: 'uuid' }),
  header('webhook-timestamp', 'Seconds of Unix time of the attempt.', { ...text, pattern: '^\\d+$' }),
  header(
    'webhook-signature',
    '`v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`; two of them, separated by a space, for ' +
      '24 hours after a new secret was made.',
    { ...text, pattern: '^v1,\\S+( v1,\\S+)*$' },
  ),
];

const responses = {
  '2XX': { description: 'Received. Every other answer, or none within 15 seconds, is tried again for five days.' },
  '410': { description: 'Gone: the endpoint is disabled.' },
  '429': { description: 'Tried again after `Retry-After`.' },
};

/** The webhooks that endpoints receive (Standard Webhooks 1.0), one entry per type. */
export function webhooksSection(): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...allWebhooks()].map(([type, { summary, description, data }]) => [
      type,
      {
        post: {
          operationId: `webhook.${type}`,
          // A tag of their own: generators put what shares a tag into one class, where webhooks and routes collide.
          tags: ['Webhook messages'],
          summary,
          description,
          security: [],
          parameters,
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: { type: { const: type }, timestamp: { ...text, format: 'date-time' }, data: { $ref: getSchemaPath(data) } },
                  required: ['type', 'timestamp', 'data'],
                },
              },
            },
          },
          responses,
        },
      },
    ]),
  );
}
