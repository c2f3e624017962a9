import { membershipStates, ticketStates } from '#booking';
import { defineSchema, objectSchema, schemaOf, type JsonSchema } from '#http';
const { uuid, text, nullableText, instant, boolean, count } = schemaOf;

/** The schema, or null. */
export const nullable = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

/** Labels of states in every language, each once. */
const labelsOf = (states: Readonly<Record<string, object>>): unknown[] => [
  ...new Set(Object.values(states).flatMap((state): unknown[] => Object.values(state))),
];
const ticketLabels = labelsOf(ticketStates);
const ticketMembers = {
  uuid,
  status: { enum: ticketLabels, description: 'A label in the language of the answer.' },
  event: text,
  first_name: text,
  last_name: text,
  price: text,
  product: text,
};
const scannedBy = { ...nullableText, description: 'Identifier of the device that let it in.' };
const ticket = defineSchema('ScanTicket', objectSchema({ ...ticketMembers, scanned_by: scannedBy }, { optional: ['scanned_by'] }));
const checkedTicket = defineSchema('CheckedTicket', objectSchema({ ...ticketMembers, is_scanned: boolean, scanned_by: scannedBy }));
const reservation = defineSchema('ScanReservation', objectSchema({ uuid, tickets_count: count }));

const cardMembers = {
  uuid,
  first_name: text,
  last_name: text,
  product: text,
  price: text,
  valid_from: instant,
  valid_until: { ...nullable(instant), description: 'null: without end.' },
  status: {
    enum: labelsOf(membershipStates),
    description: 'A label in the language of the answer.',
  },
};
const card = defineSchema('ScanMembership', objectSchema(cardMembers));
const checkedCard = defineSchema('CheckedMembership', objectSchema({ ...cardMembers, is_valid: boolean }));

const scanReasons = ['already_scanned', 'cancelled', 'not_admission', 'not_paid', 'not_active', 'wrong_event', 'too_early', 'too_late'];
const undoReasons = ['not_scanned', 'not_fulfilled', 'other_device', 'undo_expired'];
const fulfilReasons = ['admission', 'already_fulfilled'];
const cardReasons = ['expired', 'not_yet_valid', 'cancelled', 'not_paid', 'membership'];

/**
 * Members that explain a reason: `already_scanned` has the first three, `not_admission` and `already_fulfilled` the next two,
 * `wrong_event`, `too_early` and `too_late` the event.
 */
const companions = {
  scanned_by: nullableText,
  scanned_by_name: nullableText,
  scanned_at: nullable(instant),
  fulfilled_at: { ...nullable(instant), description: 'When the goods were handed out.' },
  fulfilled_by_name: nullableText,
  event: objectSchema({
    uuid,
    name: text,
    place: nullableText,
    start: instant,
    scan_opens_at: nullable(instant),
    scan_closes_at: nullable(instant),
  }),
};
const optional = Object.keys(companions);
const success = { const: true };

/** Answers of handing goods out and of its undo. */
export const fulfilAnswer = defineSchema('FulfilAnswer', {
  oneOf: [
    objectSchema({
      success,
      message: text,
      fulfilled_at: nullable(instant),
      fulfilled_by_name: nullableText,
      ticket,
      reservation,
    }),
    objectSchema(
      {
        success: { const: false },
        message: text,
        reason: { enum: [...scanReasons, ...undoReasons, ...fulfilReasons] },
        ...companions,
        ticket,
        reservation,
      },
      { optional },
    ),
    objectSchema({ success: { const: false }, message: text, reason: { const: 'membership' }, membership: card }),
  ],
});

/** Answers of scan and undo. */
export const scanAnswer = defineSchema('ScanAnswer', {
  oneOf: [
    objectSchema({ success, message: text, ticket, reservation }),
    objectSchema(
      {
        success: { const: false },
        message: text,
        reason: { enum: [...scanReasons, ...undoReasons] },
        ...companions,
        ticket: nullable(ticket),
        reservation: nullable(reservation),
      },
      { optional },
    ),
    objectSchema({ success: { const: false }, message: text, reason: { const: 'membership' }, membership: card }),
  ],
});

const detail = { ...text, description: 'The reason in words.' };

/** Answers of check. */
export const checkAnswer = defineSchema('CheckAnswer', {
  oneOf: [
    objectSchema({ success, message: text, may_enter: { const: true }, ticket: checkedTicket, reservation }),
    objectSchema(
      {
        success,
        message: text,
        may_enter: { const: false },
        reason: { enum: scanReasons },
        detail,
        ...companions,
        ticket: checkedTicket,
        reservation,
      },
      { optional },
    ),
    objectSchema({
      success,
      message: text,
      may_enter: { const: false },
      reason: { enum: cardReasons },
      detail,
      membership: checkedCard,
    }),
  ],
});
