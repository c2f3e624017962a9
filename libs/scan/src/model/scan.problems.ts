import { decorateProblems } from '#http';
import { defineProblems, type ProblemBody } from '#kernel';
import { texts } from '../locales/scan.texts.js';

export const problem = defineProblems(texts, {
  'qrcode.missing': { status: 400 },
  'qrcode.malformed': { status: 400 },
  'qrcode.forged': { status: 400 },
  'qrcode.revoked': { status: 400 },
  'scan.unknown': { status: 404 },
  'scan.id_reused': { status: 422 },
  'device.permission': { status: 403 },
  'device.locked': { status: 403 },
  'device.closed': { status: 403 },
  'device.no_place': { status: 409 },
  'scan.busy': { status: 503 },
  'gate.unknown': { status: 404 },
  'batch.busy': { status: 429 },
  'pack.busy': { status: 429 },
  'pack.position_gone': { status: 410 },
  'pairing.unknown': { status: 404 },
  'pairing.spent': { status: 410 },
  'pairing.expired': { status: 410 },
  'pairing.not_a_device': { status: 403 },
  'pairing.full': { status: 409 },
  'pairing.refused': { status: 403 },
  'quarantine.token': { status: 401 },
  'quarantine.full': { status: 409 },
});

/** For `refuse` of turns: 429 `pack.busy`. */
export const packBusy = (): Error => problem('pack.busy', { headers: { 'Retry-After': '5' } });

/** For `refuse` of turns: 429 `batch.busy`. */
export const batchBusy = (): Error => problem('batch.busy', { headers: { 'Retry-After': '1' } });

/** docs/decisions.md, section 2: devices read one shape for success and failure. */
export function withScanMembers(body: ProblemBody): ProblemBody {
  return { success: false, message: body.detail, reason: body.code.slice(body.code.indexOf('.') + 1), ...body };
}

decorateProblems('/scan', withScanMembers);
