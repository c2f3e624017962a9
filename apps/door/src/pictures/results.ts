import type { Reason, ScanResult, Verdict } from '../core/types.js';

/** The moment of all pictures: the evening of an event. */
export const pictureTime = Date.parse('2027-06-18T19:42:07+02:00');

const minute = 60_000;

function result(verdict: Verdict, reason: Reason | null, more: Partial<ScanResult> = {}): ScanResult {
  const used = reason === 'already_scanned' || reason === 'double_entry' || reason === 'no_reentry';
  const known = !['forged', 'malformed', 'unknown', 'unknown_key', 'failed'].includes(reason ?? '');
  return {
    scanId: `${verdict}-${reason ?? 'plain'}`,
    verdict,
    reason,
    decidedBy: 'server',
    provisional: false,
    at: pictureTime,
    direction: verdict === 'out' ? 'exit' : 'entry',
    holder: known ? { firstName: 'Maëlle', lastName: 'Guyonvarc’h' } : null,
    product: known ? 'Nuit des musiciens' : null,
    price: known ? 'Tarif réduit' : null,
    notes: [],
    age: null,
    previous:
      reason === 'cancelled'
        ? { at: pictureTime - 30 * 60 * minute, gate: null, device: null }
        : used
          ? { at: pictureTime - 23 * minute, gate: 'Hall B', device: 'Pixel 8' }
          : null,
    group: null,
    nextStep: null,
    other: { event: null, place: null, startsAt: null, gates: [], opensAt: null, holder: null },
    undoUntil: verdict === 'go' || verdict === 'out' ? pictureTime + 10_000 : null,
    practice: false,
    ...more,
  };
}

const laterEvent = pictureTime + 78 * minute;
const elsewhere = {
  event: 'Bal folk',
  place: 'Hall C',
  startsAt: laterEvent,
  gates: ['Hall B', 'Balcon'],
  opensAt: pictureTime + 18 * minute,
};
const nothing = { event: null, place: null, startsAt: null, gates: [], opensAt: null, holder: null };

/** Every result that the app can show, by a name for its picture. */
export const pictureResults: ReadonlyArray<{ readonly name: string; readonly result: ScanResult }> = [
  { name: 'go', result: result('go', null) },
  { name: 'go-notes', result: result('go', null, { notes: ['Bracelet rouge', 'Vestiaire compris'], age: 16 }) },
  { name: 'go-group', result: result('go', null, { group: { count: 5, inside: 1, expected: 4 } }) },
  { name: 'go-offline', result: result('go', null, { decidedBy: 'list', provisional: true }) },
  { name: 'out', result: result('out', null) },
  { name: 'just', result: result('just', null, { previous: { at: pictureTime - 4_000, gate: 'Hall A', device: 'Pixel 7' } }) },
  ...(['not_in_list', 'allowance_used', 'unknown_key'] as const).map((reason) => ({
    name: reason,
    result: result('ask', reason, { decidedBy: 'list' }),
  })),
  {
    name: 'other_device',
    result: result('stop', 'other_device', { decidedBy: 'list', other: { ...nothing, holder: { device: 'Pixel 8', gate: 'Hall B' } } }),
  },
  { name: 'not_inside', result: result('ask', 'not_inside', { direction: 'exit' }) },
  { name: 'not_in_list-exit', result: result('ask', 'not_in_list', { direction: 'exit', decidedBy: 'list' }) },
  ...(
    [
      'already_scanned',
      'double_entry',
      'cancelled',
      'not_paid',
      'not_active',
      'not_admission',
      'too_late',
      'no_reentry',
      'not_enough',
      'forged',
      'revoked',
      'malformed',
      'unknown',
      'failed',
    ] as const
  ).map((reason) => ({ name: reason, result: result('stop', reason) })),
  { name: 'member', result: result('member', 'membership', { member: { validity: 'valid', valid_until: '2028-01-01T00:00:00+01:00' } }) },
  { name: 'already_scanned-group', result: result('ask', 'already_scanned', { group: { count: 5, inside: 1, expected: 4 } }) },
  { name: 'wrong_event', result: result('stop', 'wrong_event', { other: { ...elsewhere, gates: [], opensAt: null, holder: null } }) },
  { name: 'wrong_gate', result: result('stop', 'wrong_gate', { other: { ...nothing, gates: elsewhere.gates } }) },
  { name: 'too_early', result: result('stop', 'too_early', { other: { ...nothing, opensAt: elsewhere.opensAt } }) },
];
