import { sha256, utf8, uuidOf } from '../codes/bytes.js';
import type { Door } from '../door/door.js';
import type { Entry } from '../journal/entry.js';
import type { Draft } from '../journal/journal.js';
import { instant, instantOrNull } from '../network/instants.js';
import type { LineAnswer } from './uploader.js';
import type { Reason, ScanResult, Verdict } from '../types.js';
import type { Attempts } from '../scanning/attempts.js';
import type { Recorder } from '../scanning/recorder.js';
import { undoFor } from '../scanning/results.js';

/** The members of a line that a second one takes over. */
interface WrittenLine {
  readonly qrcode_data?: string;
  readonly verified_data?: string;
  readonly ticket?: string;
  readonly event?: string | undefined;
  readonly gate?: string;
  readonly verdict?: string;
  readonly tickets?: number;
  readonly position?: string;
  readonly device_time: string;
  readonly clock_offset_ms: number;
  readonly clock_error_ms: number;
}

const movements = new Set(['accepted', 'readmitted', 'left']);

/** Takes the server's answers to lines: corrects results, and records who came in or went out although the server had refused. */
export class LineAnswers {
  constructor(
    private readonly door: Door,
    private readonly attempts: Attempts,
    private readonly recorder: Recorder,
  ) {}

  async take(answers: ReadonlyArray<{ readonly entry: Entry; readonly answer: LineAnswer }>): Promise<void> {
    for (const { entry, answer } of answers) {
      const { facts, line } = entry;
      if (facts.kind === 'undo' || line === null) continue;
      const written = JSON.parse(line) as WrittenLine;
      if (written.verdict !== 'admitted') continue;
      // A server of an earlier version, which runs beside a newer one during an update: it takes lines without an event.
      if (answer.reason === 'malformed' && written.event) {
        await this.recordAgain(entry, { ...written, event: undefined });
        continue;
      }
      // The list let somebody pass before the server's refusal arrived.
      const again = answer.state === 'replayed' && !movements.has(answer.outcome ?? '');
      if (again) await this.recordAgain(entry, written);
      // Whether an exit counts is known when its second line is answered: the server may not have had the entry before.
      if (!again || facts.direction === 'entry') this.correct(entry, answer);
    }
  }

  /**
   * Records a movement under a second id, because the first one is that of the refused attempt or line. The id follows from the first one,
   * so that a kill between both records it once. Of several people who came in together, a scan moves all or none, and a line those who
   * may.
   */
  private async recordAgain({ facts }: Entry, written: WrittenLine): Promise<void> {
    if (this.door.own.isUndone(facts.scanId)) return;
    const scanId = await secondId(facts.scanId);
    const known = this.door.journal.entries.some((entry) => entry.facts.scanId === scanId);
    const attempt = this.attempts.get(facts.scanId);
    if (attempt) attempt.again = scanId;
    if (known) return;
    const draft: Draft = {
      facts: { ...facts, scanId, extra: 0 },
      line: {
        scanId,
        ...(written.ticket ? { ticketId: written.ticket } : {}),
        ...(written.verified_data ? { data: written.verified_data } : { code: written.qrcode_data ?? '' }),
        ...(written.event && { eventId: written.event }),
        gateId: written.gate ?? null,
        direction: facts.direction,
        verdict: 'admitted',
        mode: 'offline',
        ...(written.tickets !== undefined && { tickets: written.tickets }),
        position: written.position ?? null,
        deviceTime: instant(written.device_time),
        clockOffsetMs: written.clock_offset_ms,
        clockErrorMs: written.clock_error_ms,
      },
    };
    await this.recorder.append([draft]);
    this.recorder.onLine();
  }

  private correct({ facts }: Entry, answer: LineAnswer): void {
    const attempt = this.attempts.ofEntry(facts.scanId);
    if (!attempt || attempt.undone) return;
    const { result, byHand } = attempt;
    // Whom a person let out is outside when the entry arrives that the server does not know yet.
    const isLetOut = byHand && facts.direction === 'exit' && answer.state === 'refused' && answer.reason === 'not_inside';
    const reason = isLetOut ? null : reasonOf(answer);
    if (reason === null) {
      if (!result.provisional) return;
      attempt.result = { ...result, provisional: false };
    } else {
      const { other, event } = answer;
      const at = instantOrNull(other?.at ?? answer.cancelled_at);
      const named = at === null ? null : { at, gate: other?.gate?.name ?? null, device: other?.device_name ?? null };
      const previous = named ?? (reason === 'double_entry' && result.reason !== reason ? null : result.previous);
      const elsewhere = event && { event: event.name, place: event.place, startsAt: instantOrNull(event.start) };
      const [verdict, code] = faceOf(reason);
      const corrected: ScanResult = {
        ...result,
        verdict,
        reason,
        previous,
        provisional: false,
        decidedBy: 'server',
        other: { ...result.other, ...elsewhere },
      };
      const isKnown = result.verdict === verdict && result.reason === reason;
      // Who came in before is only in the answer to the second line.
      if (isKnown && (result.previous !== null || previous === null)) return;
      attempt.result = { ...corrected, nextStep: { code, text: null }, undoUntil: this.door.clock.now() + undoFor };
    }
    this.door.correct(attempt.result);
  }
}

/** How a wrong entry or exit looks, and what to do. */
function faceOf(reason: Reason): readonly [verdict: Verdict, step: string] {
  if (reason === 'not_inside') return ['ask', 'let_out'];
  return [reason === 'membership' ? 'member' : 'stop', 'to_desk'];
}

/** Why an entry was wrong; null: it was right. The earlier of two entries was. */
function reasonOf({ state, reason, outcome }: LineAnswer): Reason | null {
  if (state === 'duplicate_of') return 'double_entry';
  if (state === 'was_cancelled') return 'cancelled';
  if (state === 'refused') return (reason as Reason | undefined) ?? 'failed';
  if (state === 'replayed' && outcome !== undefined && !movements.has(outcome))
    return outcome === 'already_scanned' ? 'double_entry' : (outcome as Reason);
  return null;
}

/** A UUID that follows from another one. */
export async function secondId(scanId: string): Promise<string> {
  const bytes = (await sha256(utf8(`${scanId} again`))).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 15) | 128;
  bytes[8] = ((bytes[8] ?? 0) & 63) | 128;
  return uuidOf(bytes);
}
