import { toBase64url } from '../codes/bytes.js';
import { instantOrNull } from '../network/instants.js';
import { NoAnswer, problemCode } from '../network/api.js';
import { OwnMoves } from '../journal/own-moves.js';
import type { PublicJwk } from '../codes/key-ring.js';
import { DoorError, type DoorEvent, type Role } from '../types.js';
import type { ClockRecord } from '../network/clock.js';
import type { PackPayload } from '../pack/payload.js';
import type { Credentials } from './context.js';
import type { Door } from './door.js';
import { installationFile, quarantineFile } from './ending.js';

const timeout = 15_000;

interface PairBody {
  readonly api_key: string;
  readonly device_uuid: string;
  readonly device_name: string;
  readonly tenant_name: string;
  readonly role?: Role;
  readonly event?: string | null;
  readonly gate?: string | null;
  readonly quarantine_token?: string;
  readonly keys?: readonly PublicJwk[];
}

type EventRow = Omit<PackPayload['event'], 'reentry' | 'note' | 'age'>;

/** What was chosen on the phone, to continue with after a restart. */
interface Chosen {
  readonly eventId: string | null;
  readonly gateId: string | null;
}

/** Pairing, and what the phone remembers of it: encrypted, except that there is something. */
export class Session {
  constructor(private readonly door: Door) {}

  /** Reads everything that was stored. @returns whether the phone is paired, or was and still has to send its journal */
  async load(): Promise<'paired' | 'unpaired' | 'wiped'> {
    const { door } = this;
    const [credentials, keys, clock, chosen] = await Promise.all([
      door.files.read<Credentials>('credentials'),
      door.files.read<readonly PublicJwk[]>('keys'),
      door.journalFiles.read<ClockRecord>('clock'),
      door.files.read<Chosen>('chosen'),
    ]);
    await door.journal.load();
    if (clock) door.clock.restore(clock);
    if (!credentials) return (await door.journalFiles.read<string>(quarantineFile)) === undefined ? 'unpaired' : 'wiped';
    door.credentials = credentials;
    door.keys.add(keys ?? []);
    await door.intents.load(new Set(door.journal.entries.map(({ facts }) => facts.scanId)));
    door.own = new OwnMoves(door.journal.entries);
    const pack = await door.packStore.load().catch(() => undefined);
    this.show(credentials);
    door.gateId = chosen?.gateId ?? null;
    door.usePack(pack && chosen?.eventId === pack.event.id ? pack : null);
    door.store.set({ events: await this.storedEvents() });
    return 'paired';
  }

  /**
   * Spends a pairing token or a team code.
   * @throws DoorError with the problem's code; `offline`
   */
  async pair(code: string, label?: string): Promise<void> {
    const { door } = this;
    const installation = await this.installation();
    const body = { code: code.trim(), installation, ...(label && { label: label.slice(0, 100) }) };
    const answer = await door.api.post('/scan/pair/', { body, timeout, authorization: null }).catch((error: unknown) => {
      throw error instanceof NoAnswer ? new DoorError('offline', error.message) : error;
    });
    const paired = answer.body as Partial<PairBody> & { detail?: string };
    if (answer.status !== 200 || !paired.api_key || !paired.device_uuid)
      throw new DoorError(problemCode(answer) ?? 'failed', paired?.detail ?? 'The server did not pair the phone.');
    const credentials: Credentials = {
      apiKey: paired.api_key,
      deviceId: paired.device_uuid,
      deviceName: paired.device_name ?? '',
      tenantName: paired.tenant_name ?? '',
      role: paired.role ?? 'scan',
      event: paired.event ?? null,
      gate: paired.gate ?? null,
    };
    door.keys.add(paired.keys ?? []);
    await door.journalFiles.write(quarantineFile, paired.quarantine_token ?? '');
    await door.files.write('keys', door.keys.keys);
    await door.files.write('credentials', credentials);
    door.credentials = credentials;
    this.show(credentials);
  }

  async saveChosen(): Promise<void> {
    const { pack, gateId } = this.door;
    await this.door.files.write('chosen', { eventId: pack?.event.id ?? null, gateId } satisfies Chosen);
    await this.door.files.write('keys', this.door.keys.keys);
  }

  /** Gets the current and coming events. @throws DoorError `offline` when none are known from before */
  async loadEvents(): Promise<void> {
    const { door } = this;
    try {
      const answer = await door.api.get('/scan/events/', { timeout });
      door.watch.answered(answer.status, answer.took);
      const rows = (answer.body as { results?: unknown } | null)?.results;
      if (answer.status !== 200 || !Array.isArray(rows))
        throw new DoorError(problemCode(answer) ?? 'failed', 'The server listed no events.');
      const events = (rows as readonly EventRow[]).map(eventOf);
      await door.files.write('events', events);
      door.store.set({ events });
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      door.watch.failed();
      const events = await this.storedEvents();
      if (events.length === 0) throw new DoorError('offline', error.message);
      door.store.set({ events });
    }
  }

  /** Takes over what staff changed about the device. */
  async follow(change: Partial<Pick<Credentials, 'deviceName' | 'role' | 'event' | 'gate' | 'moves'>>): Promise<void> {
    const { door } = this;
    const { credentials } = door;
    if (!credentials || Object.entries(change).every(([name, value]) => credentials[name as keyof Credentials] === value)) return;
    door.credentials = { ...credentials, ...change };
    this.show(door.credentials);
    await door.files.write('credentials', door.credentials);
  }

  private show({ tenantName, deviceName, role }: Credentials): void {
    this.door.store.set({ tenantName, deviceName, role });
  }

  private async storedEvents(): Promise<readonly DoorEvent[]> {
    const stored = await this.door.files.read<readonly DoorEvent[]>('events');
    const now = this.door.clock.now();
    return (stored ?? []).filter(({ start, end, closes }) => Math.max(start, end ?? start + 43_200_000, closes ?? 0) > now);
  }

  /** The secret of this installation: the same phone gets the same device again. */
  private async installation(): Promise<string> {
    const { door } = this;
    const stored = await door.journalFiles.read<string>(installationFile);
    if (stored !== undefined) return stored;
    const made = toBase64url(crypto.getRandomValues(new Uint8Array(32)));
    await door.journalFiles.write(installationFile, made);
    return made;
  }
}

function eventOf({ uuid, name, place, start, end, doors, closes }: EventRow): DoorEvent {
  const [starts, ends] = [instantOrNull(start) ?? 0, instantOrNull(end)];
  return { id: uuid, name, place, start: starts, end: ends, doors: instantOrNull(doors), closes: instantOrNull(closes) };
}
