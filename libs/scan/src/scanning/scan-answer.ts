import { bookingProblem } from '#booking';
import { reply, type Reply } from '#http';
import { problemBody, type Problem } from '#kernel';
import type { ScanFacts } from '../model/scan-facts.js';
import { toScanAnswer } from '../model/scan.dto.js';
import type { ScanAction } from '../model/scan-log.entity.js';
import { problem, withScanMembers } from '../model/scan.problems.js';
import type { DecidedAttempt } from './scan.service.js';

/** The answer to a decided attempt. A replay has the same bytes and a header that marks it. */
export function attemptReply(action: ScanAction, { facts, replayed }: DecidedAttempt): Reply<object> {
  const fault = faultOf(facts);
  const headers = {
    'Cache-Control': 'no-store',
    'Content-Language': facts.language,
    'Content-Type': `application/${fault ? 'problem+json' : 'json'}; charset=utf-8`,
    ...(replayed && { 'Idempotency-Replayed': 'true' }),
  };
  if (!fault) return reply(toScanAnswer(action, facts), { headers });
  const body = withScanMembers(problemBody(fault, facts.language, facts.requestId));
  return reply(body, { status: fault.status, headers });
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
    default:
      return undefined;
  }
}
