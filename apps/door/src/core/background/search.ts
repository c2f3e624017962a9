import { utf8, uuidBytes } from '../codes/bytes.js';
import { NoAnswer } from '../network/api.js';
import { problemDetail, refusalCode } from '../network/problems.js';
import { states } from '../pack/columns.js';
import type { Pack } from '../pack/pack.js';
import { hashText } from '../pack/ticket-hash.js';
import { DoorError, type FoundTicket, type Role } from '../types.js';
import { standingOf } from '../verdict/standing.js';
import type { Door } from '../door/door.js';

const timeout = 5000;
const mostResults = 50;
/** A file of names is fetched again after so many milliseconds, and sooner when the list has other tickets since. */
const namesLife = 600_000;
/** Milliseconds between two requests for it: a large file is not fetched again with each ticket that is sold. */
export const leastBetweenNames = 30_000;

/** Earlier versions of the server sent the code after the id, the address, and no mark of it. */
type NameRow = readonly [
  id: string,
  unused: string,
  first: string | null,
  last: string | null,
  email: string | null,
  reference: string | null,
  price: string | null,
  state: number,
  /** Stands for the address: its hash with the salt of the list. */
  mark?: string,
];

interface ListedRow {
  readonly uuid: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly price: string;
  readonly reservation_uuid: string;
  readonly is_scanned: boolean;
}

/** Whether a role may search, and have the file of names. */
export const maySearch = (role: Role): boolean => role === 'search' || role === 'supervisor';

/** Searches tickets: on the server, and without it in an encrypted file that only roles that may search have. */
export class Search {
  private fetchedAt = Number.NEGATIVE_INFINITY;
  private fetchedFor: string | null = null;
  /** The tickets of the list when the file was asked for. */
  private fetchedWith = '';
  private askedAt = Number.NEGATIVE_INFINITY;
  private etag: string | null = null;

  constructor(private readonly door: Door) {
    door.store.subscribe(() => this.isAllowed || this.forget());
  }

  get isAllowed(): boolean {
    return maySearch(this.door.store.state.role);
  }

  /** @throws DoorError `device.permission`, `no_event`, `offline` without a file of names, or the server's problem */
  async find(words: string): Promise<readonly FoundTicket[]> {
    const { pack, watch } = this.door;
    if (!this.isAllowed) throw new DoorError('device.permission');
    if (!pack) throw new DoorError('no_event');
    const wanted = words.trim().slice(0, 100);
    if (wanted === '') return [];
    const online = watch.kind === 'offline' ? undefined : await this.ask(pack.event.id, wanted);
    return online ?? this.lookUp(pack.event.id, wanted);
  }

  /** The tickets of a printed reference in the file of names; none when the role may not search, or the phone has no file. */
  async findReference(reference: string): Promise<readonly FoundTicket[]> {
    const { pack } = this.door;
    if (!this.isAllowed || !pack) return [];
    const found = await this.lookUp(pack.event.id, reference).catch(() => []);
    return found.filter(({ id, reference: printed }) =>
      [id.replaceAll('-', ''), printed.toLowerCase()].some((one) => one.startsWith(reference)),
    );
  }

  /** The file of names is gone: it is fetched again. */
  forget(): void {
    this.fetchedFor = null;
    this.askedAt = Number.NEGATIVE_INFINITY;
  }

  /** Gets the file of names, when the role may search, and the last one is old or lacks tickets of the list. Call it often. */
  async refreshNames(): Promise<void> {
    const { pack, watch, clock, surroundings } = this.door;
    if (!this.isAllowed || !pack || watch.kind === 'offline') return;
    const now = surroundings.running();
    const tickets = ticketsOf(pack);
    const isKnown = this.fetchedFor === pack.event.id && this.fetchedWith === tickets;
    if ((isKnown && now - this.fetchedAt < namesLife) || now - this.askedAt < leastBetweenNames) return;
    this.askedAt = now;
    // The names that the phone has are not sent again: each download is in the log.
    const etag = this.fetchedFor === pack.event.id ? this.etag : null;
    const answer = await this.door.api.get(`/scan/names/?event=${pack.event.id}`, { timeout: 30_000, etag }).catch((error: unknown) => {
      // The network was away: the next look is worth it.
      this.askedAt = Number.NEGATIVE_INFINITY;
      throw error;
    });
    if (answer.status === 304 && etag !== null) [this.fetchedAt, this.fetchedWith] = [now, tickets];
    const names = (answer.body as { names?: unknown } | null)?.names;
    const isWanted = this.isAllowed && this.door.pack?.event.id === pack.event.id;
    if (answer.status !== 200 || !Array.isArray(names) || !isWanted) return;
    await this.door.files.write('names', { event: pack.event.id, at: clock.now(), names });
    // Staff may take the right away, or the event may be closed, while the file is written.
    if (!this.isAllowed || this.door.pack?.event.id !== pack.event.id) return this.door.files.remove('names');
    [this.fetchedFor, this.fetchedAt, this.fetchedWith] = [pack.event.id, now, tickets];
    this.etag = answer.etag;
  }

  private async ask(event: string, search: string): Promise<readonly FoundTicket[] | undefined> {
    const words = search.split(/\s+/).slice(0, 10).join(' ');
    try {
      const body = { event_uuid: event, search: words, page_size: mostResults };
      const answer = await this.door.api.post('/scan/search_ticket/', { body, timeout });
      const results = (answer.body as { results?: unknown } | null)?.results;
      if (answer.status === 200 && Array.isArray(results))
        return await Promise.all((results as ListedRow[]).map((row) => this.listed(row)));
      if (answer.status >= 500) return undefined;
      // The screen names the seconds to wait.
      if (answer.status === 429) throw new DoorError('search.limited', String(Math.max(1, Math.ceil((answer.retryAfter ?? 0) / 1000))));
      throw new DoorError(refusalCode(answer), problemDetail(answer));
    } catch (error) {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    }
  }

  private async lookUp(event: string, search: string): Promise<readonly FoundTicket[]> {
    const file = await this.door.files.read<{ readonly event: string; readonly names: readonly NameRow[] }>('names');
    if (file?.event !== event) throw new DoorError('offline');
    const words = plain(search).split(/\s+/).slice(0, 10);
    const wanted = await Promise.all(words.map(async (word) => [word, await this.markOf(word)] as const));
    const found = file.names.filter((row) => wanted.every(([word, mark]) => isIn(row, word) || row[8] === mark)).slice(0, mostResults);
    return Promise.all(found.map((row) => this.named(row)));
  }

  /** What the file has in the place of an address. @returns null: the word is none */
  private async markOf(word: string): Promise<string | null> {
    const hash = word.includes('@') ? await this.door.hasher?.hashOf(utf8(word)) : undefined;
    return hash === undefined ? null : hashText(hash);
  }

  private async listed(row: ListedRow): Promise<FoundTicket> {
    const reference = row.reservation_uuid.slice(0, 8).toUpperCase();
    const { uuid: id, first_name: firstName, last_name: lastName, email, price } = row;
    return { id, firstName, lastName, email, reference, price, state: await this.stateOf(id, row.is_scanned ? 1 : 0) };
  }

  private async named([id, , firstName, lastName, email, reference, price, state]: NameRow): Promise<FoundTicket> {
    return { id, firstName, lastName, email, reference: reference ?? '', price: price ?? '', state: await this.stateOf(id, state) };
  }

  /** Where a ticket is by the list, which is newer than the file of names. */
  private async stateOf(id: string, otherwise: number): Promise<FoundTicket['state']> {
    const { pack, own } = this.door;
    const bytes = uuidBytes(id);
    const hash = bytes && (await this.door.ticketHash(bytes));
    const ticket = hash && pack?.tickets.get(hash.hash);
    const state = ticket?.state ?? otherwise;
    if (state > states.outside) return 'not_valid';
    const place =
      pack && ticket ? standingOf(pack, ticket, own.of(hash.text), { gate: null, device: null }, this.door.clock.now()).place : state;
    return place === 1 ? 'inside' : place === 2 ? 'outside' : 'expected';
  }
}

function isIn([id, , first, last, email, reference, price]: NameRow, word: string): boolean {
  if (plain(`${first ?? ''} ${last ?? ''} ${email ?? ''} ${price ?? ''}`).includes(word)) return true;
  return word.length >= 4 && (id.startsWith(word) || (reference ?? '').toLowerCase().startsWith(word));
}

/** Changes when tickets come, go, or are given to somebody else: then the names are others, too. */
function ticketsOf({ tickets }: Pack): string {
  let transfers = 0;
  for (const ticket of tickets.values()) transfers += ticket.transfers;
  return `${tickets.size} ${transfers}`;
}

/** Without case and accents. */
function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}
