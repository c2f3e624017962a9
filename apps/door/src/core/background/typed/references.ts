import { parseCode } from '../../codes/parse-code.js';
import type { Door } from '../../engine/door.js';
import { NoAnswer, type Answer } from '../../network/api.js';
import { problemDetail } from '../../network/problems.js';
import { plainResult } from '../../scanning/results.js';
import type { Scanner } from '../../scanning/scanner.js';
import type { FoundTicket, Reason, ScanResult } from '../../types.js';
import type { Search } from '../search.js';

/** Milliseconds that the look-up waits: a person typed, so there is more time than for a scan. */
const timeout = 3000;

interface Parts {
  readonly door: Door;
  readonly scanner: Scanner;
  readonly searching: Search;
}

interface Found {
  readonly success?: boolean;
  readonly qrcode_data?: string;
  readonly reason?: string;
  readonly message?: string;
}

/**
 * Decides about a printed reference as about the code of the ticket that it names. The server knows which one that is; without it, the
 * file of names of devices that may search. The list has no references: then a person needs a connection, and nobody is refused.
 */
export async function decideReference(parts: Parts, reference: string): Promise<ScanResult> {
  const { door, scanner, searching } = parts;
  const answer = door.watch.kind === 'offline' ? null : await askServer(door, reference);
  if (answer === null || answer.status >= 500) {
    const code = next(await searching.findReference(reference), door.direction)?.code;
    return scanOr(scanner, code, () => plain(door, 'failed', answer ? 'to_desk' : 'connect'));
  }
  const { success, qrcode_data: code, reason, message = null } = (answer.body ?? {}) as Found;
  const byServer = (why: Reason, text: string | null): ScanResult => ({ ...plain(door, why, 'to_desk', text), decidedBy: 'server' });
  // Too many wrong ones, or a device that may not: the server says so.
  if (answer.status !== 200) return byServer('failed', problemDetail(answer) || null);
  if (success) return scanOr(scanner, code, () => byServer('failed', null));
  return byServer(reason === 'unknown' ? 'unknown' : 'failed', message);
}

/** @returns null: no answer came */
async function askServer(door: Door, reference: string): Promise<Answer | null> {
  const body = { event_uuid: door.pack?.event.id, reference, direction: door.direction };
  try {
    const answer = await door.api.post('/scan/reference/', { body, timeout });
    door.watch.answered(answer.status, answer.took);
    return answer;
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    door.watch.late();
    return null;
  }
}

function scanOr(scanner: Scanner, text: string | undefined, otherwise: () => ScanResult): Promise<ScanResult> | ScanResult {
  const code = parseCode(text ?? '');
  return code ? scanner.scan(code) : otherwise();
}

/** The ticket that can move in this direction. */
function next(found: readonly FoundTicket[], direction: Door['direction']): FoundTicket | undefined {
  const order = direction === 'exit' ? ['inside'] : ['expected', 'outside', 'inside'];
  return order.map((wanted) => found.find(({ state }) => state === wanted)).find(Boolean) ?? found[0];
}

function plain({ direction, clock }: Door, reason: Reason, step: string, text: string | null = null): ScanResult {
  const attempt = { scanId: crypto.randomUUID(), direction, at: clock.now() };
  return { ...plainResult(attempt, reason === 'unknown' ? 'stop' : 'ask', reason), nextStep: { code: step, text } };
}
