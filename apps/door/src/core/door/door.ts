import { KeyRing } from '../codes/key-ring.js';
import { Intents } from '../journal/intents.js';
import { Journal } from '../journal/journal.js';
import { OwnMoves } from '../journal/own-moves.js';
import { Api, problemCode, type Answer } from '../network/api.js';
import { DoorClock } from '../network/clock.js';
import { NetworkWatch, type NetworkKind } from '../network/network-watch.js';
import type { Pack } from '../pack/pack.js';
import { hashText, TicketHasher } from '../pack/ticket-hash.js';
import { DoorDatabase } from '../storage/database.js';
import { Files } from '../storage/files.js';
import { PackStore } from '../storage/pack-store.js';
import { Vault } from '../storage/vault.js';
import type { Direction, ScanResult } from '../types.js';
import { mostUnlisted } from '../verdict/judge.js';
import { countsOf } from './counts.js';
import type { Credentials, Surroundings } from './context.js';
import { Lease } from './lease.js';
import { DoorStore } from './store.js';

/** Codes of answers that destroy the data of the phone. */
const endings = new Set(['key.revoked', 'key.wiped', 'key.unknown', 'device.archived']);

/** What the parts of the engine share: storage, server, clock, and what the phone knows now. */
export class Door {
  readonly db: DoorDatabase;
  readonly dataVault: Vault;
  readonly journalVault: Vault;
  readonly files: Files;
  readonly journalFiles: Files;
  readonly packStore: PackStore;
  readonly journal: Journal;
  readonly intents: Intents;
  readonly clock: DoorClock;
  /** Whether this phone may let in without the server, at events where one device does. */
  readonly lease: Lease;
  readonly watch: NetworkWatch;
  readonly api: Api;
  readonly store = new DoorStore();
  readonly corrections = new Set<(result: ScanResult) => void>();

  own = new OwnMoves([]);
  keys = new KeyRing([]);
  credentials: Credentials | null = null;
  pack: Pack | null = null;
  hasher: TicketHasher | null = null;
  gateId: string | null = null;
  direction: Direction = 'entry';
  /** Number of the last request for the list that began. */
  requests = 0;

  /** Is called when the server says that this phone lost its right. */
  onEnding: () => void = () => {};
  /** Is called when the server says that the device is locked, or outside its opening hours. */
  onClosed: (opensAt: string | null) => void = () => {};
  /** Is called when the list may not be used any longer. */
  onLeaseEnd: () => void = () => {};
  onNetwork: (kind: NetworkKind, before: NetworkKind) => void = () => {};

  constructor(readonly surroundings: Surroundings) {
    this.db = new DoorDatabase(surroundings.database);
    this.dataVault = new Vault(this.db, 'data');
    this.journalVault = new Vault(this.db, 'journal');
    this.files = new Files(this.db, this.dataVault);
    this.journalFiles = new Files(this.db, this.journalVault);
    this.packStore = new PackStore(this.db, this.dataVault);
    this.journal = new Journal(this.db, this.journalVault);
    this.intents = new Intents(this.db, this.dataVault);
    this.clock = new DoorClock(surroundings.wall, surroundings.running);
    this.lease = new Lease(surroundings.wall, surroundings.running);
    this.watch = new NetworkWatch((kind, before) => {
      this.refresh();
      this.onNetwork(kind, before);
    });
    this.api = new Api({
      origin: surroundings.origin,
      fetch: surroundings.fetch,
      key: () => this.credentials?.apiKey ?? null,
      language: surroundings.language,
      onAnswer: (answer, path) => this.heard(answer, path),
    });
  }

  /** Takes another list. */
  usePack(pack: Pack | null): void {
    if (pack && pack.head.salt !== this.pack?.head.salt) this.hasher = new TicketHasher(pack.salt);
    if (!pack) this.hasher = null;
    this.pack = pack;
    if (pack) {
      this.keys.add(pack.head.keys);
      this.clock.atLeast(pack.serverTime);
      if (this.gateId !== null && !pack.gates.some(({ id }) => id === this.gateId)) this.gateId = null;
    }
    this.refresh();
  }

  /** How many tickets that the list lacks may still come in. */
  get allowance(): number {
    const used = this.journal.unsent.filter(({ facts }) => facts.unlisted && facts.moved && facts.eventId === this.pack?.event.id);
    return Math.max(0, mostUnlisted - used.filter(({ facts }) => !this.own.isUndone(facts.scanId)).length);
  }

  /** Writes what changed into the state of the screens. */
  refresh(): void {
    const { pack, watch, journal, gateId, direction, store } = this;
    const unsent = journal.unsent.length;
    store.set({ network: { kind: watch.kind, listAt: pack?.serverTime ?? null, unsent }, direction });
    if (!pack) return;
    const { counts, inside } = countsOf(pack, this.own, gateId);
    const gates = pack.gates.map(({ id, name }) => ({ id, name, inside: inside.get(id) ?? 0 }));
    store.set({
      timeZone: pack.head.time_zone,
      event: pack.event,
      gates,
      gate: gates.find(({ id }) => id === gateId) ?? null,
      counts,
      conflicts: pack.conflicts,
      allowance: this.allowance,
    });
  }

  /** Hash of a ticket as entries store it; null without a list. */
  async ticketHash(idBytes: Uint8Array<ArrayBuffer>): Promise<{ readonly hash: bigint; readonly text: string } | null> {
    const hash = await this.hasher?.hashOf(idBytes);
    return hash === undefined ? null : { hash, text: hashText(hash) };
  }

  /** Where on the running time of the clock a request was, which tests replace. */
  runningTimes({ took }: Answer): [began: number, ended: number] {
    const ended = this.surroundings.running();
    return [ended - took, ended];
  }

  /** Keeps what the clocks showed, for the next start. */
  async saveClock(): Promise<void> {
    await this.journalFiles.write('clock', this.clock.record);
    await this.files.write('seen', this.lease.seen);
  }

  /** Destroys the list of the event and the file of names, on disk. */
  async forgetList(): Promise<void> {
    await this.packStore.remove();
    await this.files.remove('names');
  }

  /** The list may be used until six hours after the event: then it is destroyed, also when the event was left. */
  checkLease(): void {
    const { leaseEnd } = this.packStore;
    if (leaseEnd !== null && this.clock.now() > leaseEnd) this.onLeaseEnd();
  }

  correct(result: ScanResult): void {
    for (const listener of this.corrections) listener(result);
  }

  private heard(answer: Answer, path: string): void {
    if (answer.status !== 401 && answer.status !== 403) return;
    if (path.startsWith('/scan/quarantine') || path.startsWith('/scan/pair') || !this.credentials) return;
    const code = problemCode(answer);
    if (code !== null && endings.has(code)) this.onEnding();
    // Staff locked the device after the last contact.
    if (code === 'device.locked') this.onClosed(null);
    if (code === 'device.closed') this.onClosed((answer.body as { opens_at?: string | null }).opens_at ?? null);
  }
}
