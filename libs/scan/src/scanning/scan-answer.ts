import { bookingProblem } from '#tickets';
import { reply, type Reply } from '#http';
import { problemBody, type Problem, type ProblemBody } from '#kernel';
import type { ScanFacts } from '../model/scan-facts.js';
import { toScanAnswer, type AttemptAnswer } from '../model/scan.dto.js';
import type { ScanAction } from '../model/scan-log.entity.js';
import { problem, withScanMembers } from '../model/scan.problems.js';
import type { DecidedAttempt } from './scan.service.js';

/** Problems of routes that read a code. */
export const qrProblems = ['qrcode.missing', 'qrcode.malformed', 'qrcode.forged', 'qrcode.revoked', 'ticket.unknown', 'scan.busy'];
/** Described header of answers that may be replays. */
export const replayHeader = { 'Idempotency-Replayed': { description: '`true`: this `scan_id` was answered before, with these bytes.' } };

/** The answer to a decided attempt. A replay has the same bytes and a header that marks it. The action decides of which kind it is. */
export function attemptReply<Answer extends AttemptAnswer>(
  action: ScanAction,
  { facts, replayed }: DecidedAttempt,
): Reply<Answer | ProblemBody> {
  const fault = faultOf(facts);
  const headers = {
    'Cache-Control': 'no-store',
    'Content-Language': facts.language,
    'Content-Type': `application/${fault ? 'problem+json' : 'json'}; charset=utf-8`,
    ...(replayed && { 'Idempotency-Replayed': 'true' }),
  };
  if (!fault) return reply<Answer | ProblemBody>(toScanAnswer(action, facts) as Answer, { headers });
  const body = withScanMembers(problemBody(fault, facts.language, facts.requestId));
  return reply<Answer | ProblemBody>(body, { status: fault.status, headers });
}

/** The problem for codes that are not a ticket of this tenant; every other outcome is an answer (docs/decisions.md, section 5). */
function faultOf({ outcome }: ScanFacts): Problem | undefined {
  switch (outcome) {
    case 'missing':
    case 'malformed':
    case 'forged':
    case 'revoked':
      return problem(`qrcode.${outcome}`);
    case 'unknown':
      return bookingProblem('ticket.unknown');
    case 'unknown_scan':
      return problem('scan.unknown');
    case 'not_permitted':
      return problem('device.permission');
    case 'unknown_gate':
      return problem('gate.unknown');
    default:
      return undefined;
  }
}
