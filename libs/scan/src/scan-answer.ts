import { bookingProblem } from '#booking';
import { problemBody, type Problem } from '#kernel';
import type { Response } from 'express';
import type { ScanFacts } from './scan-facts.js';
import { toScanAnswer } from './scan.dto.js';
import type { ScanAction } from './scan-log.entity.js';
import { problem, withScanMembers } from './scan.problems.js';
import type { DecidedAttempt } from './scan.service.js';

/** Sends a decided attempt. A repeat is the same bytes, and a header says that it is one. */
export function sendAttempt(action: ScanAction, { facts, replayed }: DecidedAttempt, response: Response): void {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Language', facts.language);
  if (replayed) response.setHeader('Idempotency-Replayed', 'true');
  const fault = faultOf(facts);
  if (!fault) {
    send(response, 200, 'application/json; charset=utf-8', toScanAnswer(action, facts));
    return;
  }
  const body = withScanMembers(problemBody(fault, facts.language, facts.requestId));
  send(response, fault.status, 'application/problem+json; charset=utf-8', body);
}

/** Straight to the socket: the door needs neither content negotiation nor an ETag. */
function send(response: Response, status: number, type: string, body: object): void {
  response.statusCode = status;
  response.setHeader('Content-Type', type);
  response.end(JSON.stringify(body));
}

/** Codes that are no ticket of this tenant are errors; everything else is an answer (decisions 5). */
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
