import type { Pack } from '../pack/pack.js';
import { hashText } from '../pack/ticket-hash.js';
import type { Reason, ScanResult, Verdict } from '../types.js';
import type { Decision } from '../verdict/decision.js';
import { noParts, type ServerDecision } from '../verdict/server-answer.js';
import type { Attempted } from './attempts.js';

/** Milliseconds for which one tap undoes a movement. */
export const undoFor = 10_000;

type Basis = Pick<Attempted, 'scanId' | 'direction' | 'at'>;
type Name = { readonly firstName: string; readonly lastName: string } | null;

/** The result of what the list decided. @param holder the opened name */
export function listResult(
  attempt: Basis & Pick<Attempted, 'tickets'>,
  decision: Decision,
  pack: Pack | null,
  holder: Name,
  provisional: boolean,
): ScanResult {
  const { ticket, verdict, reason, nextStep } = decision;
  const type = ticket && pack?.types.get(ticket.typeId ?? '');
  return withOthers({
    ...plainResult(attempt, verdict, reason),
    provisional,
    holder,
    product: type?.product ?? null,
    price: type?.price ?? null,
    ...rulesOf(pack, type?.note ?? null),
    previous: decision.previous,
    group: groupAfter(decision, attempt.tickets),
    nextStep: nextStep === null ? null : { code: nextStep, text: null, due: ticket && pack?.head.due?.[hashText(ticket.hash)] },
    other: { ...noParts.other, gates: decision.gates, opensAt: decision.opensAt, holder: decision.holder },
  });
}

/** Whether the code is used, and others of its reservation may come in under it. */
export const offersOthers = ({ reason, direction, group }: ScanResult): boolean =>
  reason === 'already_scanned' && direction === 'entry' && (group?.expected ?? 0) > 0;

/** Then a person decides: nobody lets people in on a red screen. */
const withOthers = (result: ScanResult): ScanResult => (offersOthers(result) ? { ...result, verdict: 'ask' } : result);

/** The reservation after the movement, as the server's answer has it. @param tickets that move together; null: the one of the code */
function groupAfter({ group, verdict, before }: Decision, tickets: number | null): Decision['group'] {
  if (!group || (verdict !== 'go' && verdict !== 'out')) return group;
  const { count, inside, expected } = group;
  if (verdict === 'out') return { count, inside: inside - 1, expected };
  const came = tickets ?? 1;
  const returns = tickets === null && before === 2;
  return { count, inside: inside + came, expected: returns ? expected : expected - came };
}

/** The result of what the server decided. */
export function serverResult(attempt: Basis, { verdict, reason, parts }: ServerDecision): ScanResult {
  return withOthers({ ...plainResult(attempt, verdict, reason), decidedBy: 'server', ...parts });
}

/** A result without facts of a ticket. */
export function plainResult({ scanId, direction, at }: Basis, verdict: Verdict, reason: Reason | null): ScanResult {
  return {
    scanId,
    verdict,
    reason,
    decidedBy: 'list',
    provisional: false,
    at,
    direction,
    ...noParts,
    undoUntil: verdict === 'go' || verdict === 'out' ? at + undoFor : null,
    practice: false,
  };
}

function rulesOf(pack: Pack | null, note: string | null): Pick<ScanResult, 'notes' | 'age'> {
  const notes = [pack?.note ?? '', note ?? ''].filter((text) => text !== '');
  return { notes, age: pack?.age ?? null };
}
