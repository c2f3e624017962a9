import type { Door } from '../door/door.js';
import { NoAnswer } from '../network/api.js';
import { deadline } from '../network/network-watch.js';
import type { ScanResult } from '../types.js';
import { readDecision } from '../verdict/server-answer.js';
import { plainResult, serverResult } from '../scanning/results.js';

/** Asks the server about an NFC card. A card lets nobody in, so nothing is written, and without the server it says nothing. */
export async function askAboutCard(door: Door, tag: string): Promise<ScanResult> {
  const { direction, gateId, pack, clock } = door;
  const attempt = { scanId: crypto.randomUUID(), direction, at: clock.now() };
  const body = {
    qrcode_data: tag,
    event_uuid: pack?.event.id,
    scan_id: attempt.scanId,
    direction,
    ...(gateId !== null && { gate: gateId }),
  };
  try {
    const answer = await door.api.post('/scan/ticket/', { body, timeout: deadline });
    door.watch.answered(answer.status, answer.took);
    const decision = readDecision(answer, direction);
    if (decision) return serverResult(attempt, decision);
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    door.watch.late();
  }
  return { ...plainResult(attempt, 'ask', 'failed'), nextStep: { code: 'to_desk', text: null } };
}
