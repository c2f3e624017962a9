import type { Door } from '../door/door.js';
import { NoAnswer, type Answer } from '../network/api.js';
import { readDecision, type ServerDecision } from '../verdict/server-answer.js';
import type { Attempted } from './attempts.js';

/** An answer may come this much later and still correct the result, in milliseconds. */
const longest = 10_000;

export interface Asked {
  /** What the server decided in time; undefined: the list decides. */
  readonly decision: ServerDecision | undefined;
  /** The tickets that moved together. */
  readonly moved: readonly string[];
  /** Whether the server may have got the request. */
  readonly sent: boolean;
  /** The decision of an answer that was late; undefined: there is none. */
  readonly late: Promise<ServerDecision | undefined>;
}

const nobody: Asked = { decision: undefined, moved: [], sent: false, late: Promise.resolve(undefined) };

/** Asks the server about an attempt, for as long as the network is worth it. Without a network nobody waits. Never throws. */
export async function askServer(door: Door, attempt: Attempted): Promise<Asked> {
  const { patience, answers } = door.watch;
  if (patience === 0) return nobody;
  const asking = door.api.post('/scan/ticket/', { body: bodyOf(door, attempt), timeout: longest });
  let waiting = true;
  const settled = asking.then(
    (answer) => {
      door.watch.answered(answer.status, answer.took);
      return answer;
    },
    (error: unknown) => {
      if (!(error instanceof NoAnswer)) return null;
      if (error.timedOut) door.watch.silent(answers);
      // A request that is still open when the phone moves on says nothing new.
      else if (waiting) door.watch.failed();
      return null;
    },
  );
  const answer = await Promise.race([settled, timeOut(patience)]);
  waiting = false;
  if (answer === 'late') {
    door.watch.late();
    return { ...nobody, sent: true, late: settled.then((one) => (one ? readDecision(one, attempt.direction) : undefined)) };
  }
  const decision = answer ? readDecision(answer, attempt.direction) : undefined;
  return { ...nobody, sent: true, decision, moved: answer ? movedOf(answer) : [] };
}

function bodyOf(door: Door, { code, eventId, scanId, gateId, direction, tickets }: Attempted): object {
  return {
    ...(code.signedText ? { qrcode_data: code.text } : { ticket: code.text }),
    event_uuid: eventId,
    scan_id: scanId,
    ...(gateId !== null && { gate: gateId }),
    direction,
    ...(tickets !== null && { tickets }),
    device_time: new Date(door.clock.deviceTime()).toISOString(),
  };
}

function movedOf({ body }: Answer): readonly string[] {
  const moved = (body as { moved?: unknown } | null)?.moved;
  return Array.isArray(moved) ? (moved as string[]) : [];
}

function timeOut(ms: number): Promise<'late'> {
  return new Promise((done) => {
    setTimeout(() => done('late'), ms);
  });
}
