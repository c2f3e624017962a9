import { describeWebhook } from '#http';
import { nounOf, webhookEvents, webhookEventTypes } from '../webhook-events.js';

/** What an event tells of its object. */
const data = {
  type: 'object',
  description: 'The object as the API shows it.',
  properties: { sequence: { type: 'integer', minimum: 1, description: 'Counts the changes of this object.' } },
  required: ['sequence'],
} as const;

for (const type of webhookEventTypes) {
  describeWebhook(type, {
    summary: webhookEvents[type].en,
    description: `\`data\` is ${nounOf(type)?.schema} as it was after the change, with its \`sequence\`. Answer 2xx within 15 seconds, and do each \`webhook-id\` once.`,
    data,
  });
}
