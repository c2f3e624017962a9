import { sha256, toBase64url, utf8 } from '../codes/bytes.js';
import { instantOrNull } from '../network/instants.js';
import { NoAnswer, problemDetail, refusalCode } from '../network/api.js';
import { OwnMoves } from '../journal/own-moves.js';
import type { PublicJwk } from '../codes/key-ring.js';
import { writeTogether } from '../storage/files.js';
import { DoorError, type Direction, type DoorEvent, type Role } from '../types.js';
import type { ClockRecord } from '../network/clock.js';
import type { PackPayload } from '../pack/payload.js';
import type { Credentials } from '../engine/context.js';
import type { Door } from '../engine/door.js';
import { installationFile, quarantineFile } from './ending.js';

const timeout = 15_000;
/** The server takes no longer names of phones. */
const longestLabel = 60;

/** What the server gave a phone. */
interface Paired {
  readonly credentials: Credentials;
  readonly keys: readonly PublicJwk[];
  readonly quarantineToken: string;
}

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
  /** Missing: entry. */
  readonly direction?: Direction;
}

/** Pairing, and what the phone remembers of it: encrypted, except that there is something. */
export class Session {
  private saving: Promise<void> = Promise.resolve();

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
    // The phone was off when the list had to be destroyed.
    const isOver = pack !== undefined && door.clock.now() > pack.leaseEnd;
    if (isOver) await door.forgetList();
    const isOpen = !isOver && pack !== undefined && chosen?.eventId === pack.event.id;
    if (isOpen) {
      door.gateId = chosen?.gateId ?? null;
      door.direction = chosen?.direction ?? 'entry';
    }
    door.lease.restore(isOver ? null : (pack?.head.held_until ?? null), (await door.files.read<number>('seen')) ?? 0);
    door.usePack(isOpen ? pack : null);
    door.store.set({ events: await this.storedEvents() });
    return 'paired';
  }

  /**
   * Spends a pairing token or a team code. Nothing is remembered yet.
   * @throws DoorError with the problem's code; `offline`
   */
  async ask(code: string, label?: string): Promise<Paired> {
    const { door } = this;
    const installation = await this.installation();
    const body = { code: code.trim(), installation, ...(label && { label: label.slice(0, longestLabel) }) };
    const answer = await door.api.post('/scan/pair/', { body, timeout, authorization: null }).catch((error: unknown) => {
      throw error instanceof NoAnswer ? new DoorError('offline', error.message) : error;
    });
    const paired = answer.body as Partial<PairBody>;
    if (answer.status !== 200 || !paired.api_key || !paired.device_uuid) throw new DoorError(refusalCode(answer), problemDetail(answer));
    const credentials = {
      apiKey: paired.api_key,
      holder: crypto.randomUUID(),
      deviceId: paired.device_uuid,
      deviceName: paired.device_name ?? '',
      tenantName: paired.tenant_name ?? '',
      timeZone: null,
      role: paired.role ?? 'scan',
      event: paired.event ?? null,
      gate: paired.gate ?? null,
      code: await hashOfCode(code),
    };
    return { credentials, keys: paired.keys ?? [], quarantineToken: paired.quarantine_token ?? '' };
  }

  /** Remembers all of what the server gave, or nothing of it: a token of the quarantine alone would look like a wiped phone. */
  async keep({ credentials, keys, quarantineToken }: Paired): Promise<void> {
    const { door } = this;
    door.keys.add(keys);
    await writeTogether(door.db, [
      [door.journalFiles, quarantineFile, quarantineToken],
      [door.files, 'keys', door.keys.keys],
      [door.files, 'credentials', credentials],
    ]);
    door.credentials = credentials;
    this.show(credentials);
  }

  async isOwnCode(code: string): Promise<boolean> {
    return this.door.credentials?.code === (await hashOfCode(code));
  }

  /** Stores what is chosen. Calls wait for each other, so that the last choice stays. */
  saveChosen(): Promise<void> {
    const saved = this.saving.then(() => this.writeChosen());
    this.saving = saved.catch(() => {});
    return saved;
  }

  private async writeChosen(): Promise<void> {
    const { pack, gateId, direction, db, files, keys } = this.door;
    const chosen: Chosen = { eventId: pack?.event.id ?? null, gateId, direction };
    await writeTogether(db, [
      [files, 'chosen', chosen],
      [files, 'keys', keys.keys],
    ]);
  }

  /** Gets the current and coming events. @throws DoorError `offline` or `failed` when none are known from before */
  async loadEvents(): Promise<void> {
    const { door } = this;
    try {
      const answer = await door.api.get('/scan/events/', { timeout });
      door.watch.answered(answer.status, answer.took);
      const rows = (answer.body as { results?: unknown } | null)?.results;
      if (answer.status !== 200 || !Array.isArray(rows)) throw new DoorError(refusalCode(answer), problemDetail(answer));
      const events = (rows as readonly EventRow[]).map(eventOf);
      await door.files.write('events', events);
      const zone = (answer.body as { time_zone?: unknown }).time_zone;
      if (typeof zone === 'string') await this.follow({ timeZone: zone });
      door.store.set({ events });
    } catch (error) {
      const failed = error instanceof DoorError && error.code === 'failed';
      if (!failed && !(error instanceof NoAnswer)) throw error;
      if (!failed) door.watch.failed();
      const events = await this.storedEvents();
      if (events.length === 0) throw failed ? error : new DoorError('offline', error.message);
      door.store.set({ events });
    }
  }

  /** Takes over what staff changed about the device. */
  async follow(change: Partial<Pick<Credentials, 'deviceName' | 'timeZone' | 'role' | 'event' | 'gate' | 'moves'>>): Promise<void> {
    const { door } = this;
    const { credentials } = door;
    if (!credentials || Object.entries(change).every(([name, value]) => credentials[name as keyof Credentials] === value)) return;
    door.credentials = { ...credentials, ...change };
    this.show(door.credentials);
    await door.files.write('credentials', door.credentials);
  }

  private show({ tenantName, timeZone, deviceName, role }: Credentials): void {
    this.door.store.set({ tenantName, timeZone, deviceName, role });
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

const hashOfCode = async (code: string): Promise<string> => toBase64url(await sha256(utf8(code.trim())));

function eventOf({ uuid, name, place, start, end, doors, closes }: EventRow): DoorEvent {
  const [starts, ends] = [instantOrNull(start) ?? 0, instantOrNull(end)];
  return { id: uuid, name, place, start: starts, end: ends, doors: instantOrNull(doors), closes: instantOrNull(closes) };
}
