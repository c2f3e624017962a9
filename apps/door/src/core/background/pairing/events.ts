import type { Door } from '../../door/door.js';
import { NoAnswer } from '../../network/api.js';
import { problemDetail, refusalCode } from '../../network/problems.js';
import { instantOrNull } from '../../network/instants.js';
import type { PackPayload } from '../../pack/payload.js';
import type { Session } from '../../session/session.js';
import { DoorError, type DoorEvent } from '../../types.js';
import type { CredentialsKeeper } from './credentials-keeper.js';

const timeout = 15_000;

type EventRow = Omit<PackPayload['event'], 'reentry' | 'note' | 'age'>;

interface Parts {
  readonly door: Door;
  readonly session: Session;
  readonly credentials: CredentialsKeeper;
}

/** Gets the current and coming events. @throws DoorError `offline` or `failed` when none are known from before */
export async function loadEvents({ door, session, credentials }: Parts): Promise<void> {
  try {
    const answer = await door.api.get('/scan/events/', { timeout });
    door.watch.answered(answer.status, answer.took);
    const rows = (answer.body as { results?: unknown } | null)?.results;
    if (answer.status !== 200 || !Array.isArray(rows)) throw new DoorError(refusalCode(answer), problemDetail(answer));
    const events = (rows as readonly EventRow[]).map(eventOf);
    await door.files.write('events', events);
    const zone = (answer.body as { time_zone?: unknown }).time_zone;
    if (typeof zone === 'string') await credentials.follow({ timeZone: zone });
    door.store.set({ events });
  } catch (error) {
    const failed = error instanceof DoorError && error.code === 'failed';
    if (!failed && !(error instanceof NoAnswer)) throw error;
    if (!failed) door.watch.failed();
    const events = await session.storedEvents();
    if (events.length === 0) throw failed ? error : new DoorError('offline');
    door.store.set({ events });
  }
}

function eventOf({ uuid, name, place, start, end, doors, closes }: EventRow): DoorEvent {
  const [starts, ends] = [instantOrNull(start) ?? 0, instantOrNull(end)];
  return { id: uuid, name, place, start: starts, end: ends, doors: instantOrNull(doors), closes: instantOrNull(closes) };
}
