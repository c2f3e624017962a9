import { parseCode } from '../codes/parse-code.js';
import type { Door } from '../engine/door.js';
import type { LineFacts } from '../journal/line.js';
import { factsOf, type Recorder } from '../scanning/recorder.js';

/** Attempts that a person should have decided, and nobody did: the journal says that they were refused. */
export async function closeOldAttempts(door: Door, recorder: Recorder): Promise<void> {
  for (const { scanId, code: text, shown, ...rest } of door.intents.expired(door.clock.now())) {
    const code = shown ? parseCode(text) : undefined;
    if (!code) {
      await door.intents.remove(scanId);
      continue;
    }
    const { gateId, direction, at } = rest;
    const basis = recorder.basis(scanId, false);
    const deviceTime = basis.deviceTime - (door.clock.now() - at);
    const line: LineFacts = { ...basis, code: code.text, gateId, direction, verdict: 'refused', deviceTime };
    const facts = factsOf({ scanId, ...rest, tickets: null, before: 0, unlisted: false }, false);
    await recorder.append([{ facts, line }], scanId);
    recorder.onLine();
  }
}
