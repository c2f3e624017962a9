import { describeWebhook } from '#http';
import { webhookEvents, webhookEventTypes } from '../webhook-events.js';

/** What an event tells of its object. */
const data = {
  type: 'object',
  description: 'The object as the API shows it.',
  properties: { sequence: { type: 'integer', minimum: 1, description: 'Counts the changes of this object.' } },
  required: ['sequence'],
} as const;

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
