import { uuidBytes, uuidOf } from '../../codes/bytes.js';
import { parseCode } from '../../codes/parse-code.js';
import type { Door } from '../../door/door.js';
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
  readonly ticket?: string;
  /** Only of earlier versions of the server, and for devices that only scan. */
  readonly qrcode_data?: string;
  readonly reason?: string;
  readonly message?: string;
}

/**
 * Decides about a printed reference as about the code of the ticket that it names. The server knows which one that is; without it, the
 * file of names of devices that may search, or the list when the whole number of the ticket was typed. Else a person needs a connection,
 * and nobody is refused.
 */
export async function decideReference(parts: Parts, reference: string): Promise<ScanResult> {
  const { door, scanner, searching } = parts;
  const answer = door.watch.kind === 'offline' ? null : await askServer(door, reference);
  if (answer === null || answer.status >= 500) {
    const found = next(await searching.findReference(reference), door.direction);
    const id = found?.id ?? (await listedId(door, reference));
    return id ? scanFound(parts, id, found) : plain(door, 'failed', answer ? 'to_desk' : 'connect');
  }
  const { success, ticket, qrcode_data: text = '', reason, message = null } = (answer.body ?? {}) as Found;
  const byServer = (why: Reason, said: string | null): ScanResult => ({ ...plain(door, why, 'to_desk', said), decidedBy: 'server' });
  // Too many wrong ones, or a device that may not: the server says so.
  if (answer.status !== 200) return byServer('failed', problemDetail(answer) || null);
  if (!success) return byServer(reason === 'unknown' ? 'unknown' : 'failed', message);
  // Earlier versions of the server take no ticket without its code.
  const code = parseCode(text);
  if (code) return scanner.scan(code);
  return ticket && uuidBytes(ticket) ? scanFound(parts, ticket) : byServer('failed', null);
}

/** Decides about a ticket that was found without its code. @param found its names, which only the code opens in the list */
async function scanFound({ door, scanner }: Parts, id: string, found?: FoundTicket): Promise<ScanResult> {
  const idBytes = uuidBytes(id)!;
  const hash = await door.ticketHash(idBytes);
  const transfers = (hash && door.pack?.tickets.get(hash.hash)?.transfers) ?? 0;
  const nothing = { kid: '', signedText: '', signature: new Uint8Array() };
  const result = await scanner.attempt({ text: id, ticketId: id, idBytes, transfers, ...nothing }, 'genuine', null);
  const attempt = scanner.attempts.get(result.scanId);
  if (!attempt || !found || result.holder) return result;
  const { firstName, lastName } = found;
  return (attempt.result = { ...result, holder: { firstName, lastName } });
}

/** The id of a ticket of the list. @returns undefined: the reference is no whole id, or the list lacks it */
async function listedId(door: Door, reference: string): Promise<string | undefined> {
  if (reference.length !== 32) return undefined;
  const bytes = Uint8Array.from({ length: 16 }, (_, at) => Number.parseInt(reference.slice(2 * at, 2 * at + 2), 16));
  const hash = await door.ticketHash(bytes);
  return hash && door.pack?.tickets.has(hash.hash) ? uuidOf(bytes) : undefined;
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

/** The ticket that can move in this direction. */
function next(found: readonly FoundTicket[], direction: Door['direction']): FoundTicket | undefined {
  const order = direction === 'exit' ? ['inside'] : ['expected', 'outside', 'inside'];
  return order.map((wanted) => found.find(({ state }) => state === wanted)).find(Boolean) ?? found[0];
}

function plain({ direction, clock }: Door, reason: Reason, step: string, text: string | null = null): ScanResult {
  const attempt = { scanId: crypto.randomUUID(), direction, at: clock.now() };
  return { ...plainResult(attempt, reason === 'unknown' ? 'stop' : 'ask', reason), nextStep: { code: step, text } };
}
