import { objectSchema, schemaOf, type RouteDescription } from '#http';
import { checkAnswer, scanAnswer } from './scan-schemas.js';
import { ScanRequest, UndoRequest } from './scan.dto.js';

/** The tag of these routes in the API document. */
export const scanTag = 'Scanning devices';
const tag = scanTag;
const { uuid, text, instant, boolean } = schemaOf;
const device = objectSchema({ uuid, name: text, claimed: boolean, archived: boolean });
const paired = objectSchema({
  success: { const: true },
  message: text,
  api_key: text,
  device_uuid: uuid,
  device_name: text,
  tenant_name: text,
});

export const code = `${'A'.repeat(24)}:${'B'.repeat(86)}`;
const ticketExample = {
  uuid: '1997c3a7-3247-4a27-a07c-a5cbcd801d11',
  status: 'Valid and scanned',
  event: 'Nuit blanche',
  first_name: 'Ada',
  last_name: 'Martin',
  price: 'Full price',
  product: 'Ticket',
};
const reservationExample = { uuid: '7d5730a7-0e62-4827-8eea-1fbc650d93f4', tickets_count: 2 };
export const replayed = { 'Idempotency-Replayed': '`true`: this `scan_id` was answered before, with these bytes.' };
export const qrProblems = ['qrcode.missing', 'qrcode.malformed', 'qrcode.forged', 'qrcode.revoked', 'ticket.unknown', 'scan.busy'];

const pair = {
  tag,
  summary: 'Spend a pairing code for the key of a device',
  description: 'Of simultaneous calls exactly one gets the key. HEAD, prefetches, link previews and browser pages do not spend the code.',
  parameters: { token: { description: 'The pairing code; it is the credential.', schema: text } },
  answers: {
    200: {
      description: 'Paired',
      schema: paired,
      example: {
        success: true,
        message: 'Device successfully paired',
        api_key: 'gdev_…',
        device_uuid: '0e896492-5a88-49d7-92a5-826b2b8adac0',
        device_name: 'Door 1',
        tenant_name: 'La Lune',
      },
    },
  },
  problems: ['pairing.unknown', 'pairing.spent', 'pairing.expired', 'pairing.not_a_device'],
} as const satisfies RouteDescription;

/** Descriptions of the scanning-device API's routes. */
export const scanApi = {
  pair,
  lookAtPairing: {
    ...pair,
    summary: 'Whether a pairing code could be spent; it is not',
    answers: { 200: { description: 'It could' } },
    problems: ['pairing.unknown', 'pairing.spent', 'pairing.expired'],
  },
  testApi: {
    tag,
    summary: 'Connection test',
    description: 'Says which device the key belongs to and what it may do.',
    answers: {
      200: {
        description: 'The key works',
        schema: objectSchema({
          success: { const: true },
          message: text,
          device_info: device,
          permissions: {
            type: 'array',
            items: { enum: ['search_tickets'] },
            description: 'What staff allow this device.',
          },
          server_info: objectSchema({ tenant: text, domain: text, timestamp: instant }),
        }),
      },
    },
  },
  keys: {
    tag,
    summary: 'Public keys, for verification without a connection',
    description: 'RFC 8037. `data` of a code holds the key id in its second byte; the signature is Ed25519 over the ASCII of `data`.',
    answers: {
      200: {
        description: 'A JWK set',
        schema: objectSchema({
          keys: {
            type: 'array',
            items: objectSchema({
              kty: { const: 'OKP' },
              crv: { const: 'Ed25519' },
              x: text,
              kid: text,
              alg: { const: 'EdDSA' },
              use: { const: 'sig' },
            }),
          },
        }),
      },
    },
  },
  checkTicket: {
    tag,
    summary: 'Look at a ticket, or at a membership card; nothing changes',
    description:
      '`may_enter` says whether `POST /scan/ticket/` would let it in now; if not, `reason` and its companions are the same as there, and `detail` is the reason in words. The code of a membership is answered with `membership` instead of ticket and reservation: `is_valid` says whether it is valid now, `reason` is `membership` for a valid one, else why it is not valid.',
    body: { type: ScanRequest, example: { qrcode_data: code } },
    answers: {
      200: {
        description: 'A genuine ticket in any state, or a genuine card',
        schema: checkAnswer,
        example: {
          success: true,
          message: 'Ticket information retrieved',
          may_enter: true,
          ticket: { ...ticketExample, status: 'Valid and not scanned', is_scanned: false, scanned_by: null },
          reservation: reservationExample,
        },
        headers: replayed,
      },
    },
    problems: [...qrProblems, 'scan.id_reused'],
  },
  scanTicket: {
    tag,
    summary: 'Let a ticket in',
    description:
      'One conditional statement decides who is first. With a `scan_id` a repeat is answered the same, byte for byte, and never scans twice. A membership card is refused with `reason` `membership`.',
    body: {
      type: ScanRequest,
      example: {
        qrcode_data: code,
        scan_id: '0b6f2a54-9f0c-4c52-8d4e-2f9a3c1b7d10',
        event_uuid: 'f8838409-22db-49cb-8a1d-b372e4d8489b',
      },
    },
    answers: {
      200: {
        description: 'Let in, or refused with its reason',
        schema: scanAnswer,
        example: { success: true, message: 'Ticket successfully scanned', ticket: ticketExample, reservation: reservationExample },
        headers: replayed,
      },
    },
    problems: [...qrProblems, 'scan.id_reused'],
  },
  undo: {
    tag,
    summary: 'Take a scan back',
    description: 'By the same device, within 15 minutes. Asking again for an undo that was done is answered the same.',
    body: { type: UndoRequest, example: { qrcode_data: code, reason: 'wrong door' } },
    answers: { 200: { description: 'Taken back, or refused with its reason', schema: scanAnswer, headers: replayed } },
    problems: [...qrProblems, 'scan.unknown'],
  },
} as const satisfies Record<string, RouteDescription>;
