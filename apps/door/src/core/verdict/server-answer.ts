import { problemCode, type Answer } from '../network/api.js';
import { instantOrNull } from '../network/instants.js';
import type { Direction, Membership, Passage, Reason, ScanResult, Verdict } from '../types.js';

/** The members of `POST /scan/ticket/` that the app reads. */
interface ScanBody {
  readonly success?: boolean;
  readonly reason?: string;
  readonly ticket?: {
    readonly first_name?: string;
    readonly last_name?: string;
    readonly price?: string;
    readonly product?: string;
  } | null;
  readonly membership?: Membership;
  readonly notes?: readonly string[];
  readonly age?: number | null;
  readonly group?: { readonly count: number; readonly inside: number; readonly expected: number };
  readonly next_step?: { readonly code: string; readonly text: string };
  readonly scanned_at?: string | null;
  readonly scanned_by_name?: string | null;
  readonly scanned_gate?: { readonly name: string } | null;
  readonly left_at?: string | null;
  readonly cancelled_at?: string | null;
  readonly left_gate?: { readonly name: string } | null;
  readonly gates?: ReadonlyArray<{ readonly name: string }>;
  readonly event?: {
    readonly name: string;
    readonly place: string | null;
    readonly start: string;
    readonly scan_opens_at: string | null;
  };
}

/** What the server decided about an attempt. */
export interface ServerDecision {
  readonly verdict: Verdict;
  readonly reason: Reason | null;
  readonly parts: Pick<
    ScanResult,
    'holder' | 'product' | 'price' | 'notes' | 'age' | 'previous' | 'group' | 'nextStep' | 'other' | 'member'
  >;
}

const reasons: ReadonlySet<string> = new Set([
  'already_scanned',
  'cancelled',
  'not_admission',
  'wrong_event',
  'not_paid',
  'not_active',
  'too_early',
  'too_late',
  'wrong_gate',
  'no_reentry',
  'not_inside',
  'not_enough',
  'membership',
]);
/** Problems that are a verdict on the code. */
const faults: Readonly<Record<string, Reason>> = {
  'qrcode.malformed': 'malformed',
  'qrcode.missing': 'malformed',
  'qrcode.forged': 'forged',
  'qrcode.revoked': 'revoked',
  'ticket.unknown': 'unknown',
};

/** Reads the answer to an attempt. @returns undefined: it decides nothing, so the list decides */
export function readDecision(answer: Answer, direction: Direction): ServerDecision | undefined {
  const fault = faults[problemCode(answer) ?? ''];
  if (fault) return { verdict: 'stop', reason: fault, parts: { ...noParts, nextStep: { code: 'to_desk', text: null } } };
  const body = answer.body as ScanBody | null;
  if (answer.status !== 200 || typeof body?.success !== 'boolean') return undefined;
  const parts = partsOf(body);
  if (body.success) return { verdict: direction === 'exit' ? 'out' : 'go', reason: null, parts };
  // A newer server may have further reasons: they refuse as well.
  const reason = reasons.has(body.reason ?? '') ? (body.reason as Reason) : 'failed';
  return { verdict: reason === 'not_inside' ? 'ask' : reason === 'membership' ? 'member' : 'stop', reason, parts };
}

/** A result without facts of the ticket. */
export const noParts: ServerDecision['parts'] = {
  holder: null,
  product: null,
  price: null,
  notes: [],
  age: null,
  previous: null,
  group: null,
  nextStep: null,
  other: { event: null, place: null, startsAt: null, gates: [], opensAt: null, holder: null },
};

function partsOf(body: ScanBody): ServerDecision['parts'] {
  const { group, next_step: step, event, gates } = body;
  const subject = body.ticket ?? body.membership;
  return {
    holder: subject ? { firstName: subject.first_name || null, lastName: subject.last_name || null } : null,
    product: subject?.product ?? null,
    price: subject?.price ?? null,
    member: body.membership,
    ...rulesOf(body),
    previous: previousOf(body),
    group: group && group.count > 1 ? { count: group.count, inside: group.inside, expected: group.expected } : null,
    nextStep: step ? { code: step.code, text: step.text } : body.success ? null : { code: 'to_desk', text: null },
    other: {
      event: event?.name ?? null,
      place: event?.place ?? null,
      startsAt: instantOrNull(event?.start),
      gates: (gates ?? []).map(({ name }) => name),
      opensAt: instantOrNull(event?.scan_opens_at),
      holder: null,
    },
  };
}

/** What is said about a ticket of another event is of no use here. */
function rulesOf({ notes, age, reason }: ScanBody): Pick<ScanResult, 'notes' | 'age'> {
  return reason === 'wrong_event' ? { notes: [], age: null } : { notes: notes ?? [], age: age ?? null };
}

function previousOf(body: ScanBody): Passage | null {
  if (body.scanned_at) {
    return { at: instantOrNull(body.scanned_at), gate: body.scanned_gate?.name ?? null, device: body.scanned_by_name ?? null };
  }
  const since = body.left_at ?? body.cancelled_at;
  return since ? { at: instantOrNull(since), gate: body.left_gate?.name ?? null, device: null } : null;
}
