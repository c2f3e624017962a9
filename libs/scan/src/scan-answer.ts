import { problemBody, type Problem } from '#kernel';
import type { Response } from 'express';
import type { ScanFacts } from './scan-facts.js';
import { toScanAnswer } from './scan.dto.js';
import type { ScanAction } from './scan-log.entity.js';
import { problem, withScanMembers } from './scan.problems.js';
import type { DecidedAttempt } from './scan.service.js';

/** Sends a decided attempt. A repeat is the same bytes, and a header says that it is one. */
export function sendAttempt(action: ScanAction, { facts, replayed }: DecidedAttempt, response: Response): void {
  response.set({ 'Cache-Control': 'no-store', 'Content-Language': facts.language });
  if (replayed) response.set('Idempotency-Replayed', 'true');
  const fault = faultOf(facts);
  if (!fault) {
    response.json(toScanAnswer(action, facts));
    return;
  }
  const body = withScanMembers(problemBody(fault, facts.language, facts.requestId));
  response.status(fault.status).type('application/problem+json').send(JSON.stringify(body));
}

/** Codes that are no ticket of this tenant are errors; everything else is an answer (decisions 5). */
function faultOf({ outcome }: ScanFacts): Problem | undefined {
  switch (outcome) {
    case 'missing':
    case 'malformed':
    case 'forged':
      return problem(`qrcode.${outcome}`);
    case 'unknown':
      return problem('ticket.unknown');
    case 'unknown_scan':
      return problem('scan.unknown');
    default:
      return undefined;
  }
}
