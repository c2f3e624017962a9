import type { Door } from '../door/door.js';
import type { LineFacts } from '../journal/line.js';
import { factsOf, type Recorder } from '../scanning/recorder.js';

/** Attempts that a person should have decided, and nobody did: the journal says that they were refused. */
export async function closeOldAttempts(door: Door, recorder: Recorder): Promise<void> {
  for (const { scanId, mark: _, named, shown, ...rest } of door.intents.expired(door.clock.now())) {
    if (!shown || !(named as object | undefined)) {
      await door.intents.remove(scanId);
      continue;
    }
    const { eventId, gateId, direction, at } = rest;
    const basis = recorder.basis(scanId, false);
    const deviceTime = basis.deviceTime - (door.clock.now() - at);
    const line: LineFacts = { ...basis, ...named, eventId, gateId, direction, verdict: 'refused', deviceTime };
    const facts = factsOf({ scanId, ...rest, tickets: null, before: 0, unlisted: false }, false);
    await recorder.append([{ facts, line }], scanId);
    recorder.onLine();
  }
}
