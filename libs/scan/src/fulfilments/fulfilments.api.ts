import type { RouteDescription } from '#http';
import { fulfilAnswer } from '../model/scan-schemas.js';
import { code, qrProblems, replayed, scanTag } from '../model/scan.api.js';
import { ScanRequest, UndoRequest } from '../model/scan.dto.js';

const example = {
  success: true,
  message: 'Item handed out',
  fulfilled_at: '2027-03-01T20:12:40.120394+01:00',
  fulfilled_by_name: 'Merchandise',
  ticket: {
    uuid: '1997c3a7-3247-4a27-a07c-a5cbcd801d11',
    status: 'Valid and not scanned',
    event: 'Nuit blanche',
    first_name: 'Ada',
    last_name: 'Martin',
    price: 'Size M',
    product: 'T-shirt',
  },
  reservation: { uuid: '7d5730a7-0e62-4827-8eea-1fbc650d93f4', tickets_count: 2 },
};

/** Descriptions of the routes for handing goods out. */
export const fulfilmentsApi = {
  fulfil: {
    tag: scanTag,
    summary: 'Hand out goods',
    description:
      'For codes that `ticket` answers `not_admission`. One conditional statement decides who is first. With a `scan_id` a repeat is answered the same, byte for byte. An admission ticket is refused with `reason` `admission`.',
    body: { type: ScanRequest, example: { qrcode_data: code, scan_id: '5c1f7f0e-93f6-4a53-8a0c-2b6a6a0f1f55' } },
    answers: {
      200: { description: 'Handed out, or refused with its reason', schema: fulfilAnswer, example, headers: replayed },
    },
    problems: [...qrProblems, 'scan.id_reused'],
  },
  undo: {
    tag: scanTag,
    summary: 'Take handing out back',
    description: 'By the same device, within 15 minutes. The repeat of an undo that was done is answered the same.',
    body: { type: UndoRequest, example: { qrcode_data: code, reason: 'wrong size' } },
    answers: {
      200: { description: 'Taken back, or refused with its reason', schema: fulfilAnswer, headers: replayed },
    },
    problems: [...qrProblems, 'scan.unknown'],
  },
} as const satisfies Record<string, RouteDescription>;
