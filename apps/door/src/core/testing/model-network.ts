import { toBase64url, utf8, type Bytes } from '../codes/bytes.js';
import { hashText, TicketHasher } from '../pack/ticket-hash.js';
import { writeColumns, type PackTicket } from '../pack/columns.js';
import type { PackPayload } from '../pack/payload.js';
import type { ModelLeases } from './model-leases.js';
import type { ModelServer, ScanAsked } from './model-server.js';
import { eventId, makeSigner, makeTicket, otherEventId, type ModelTicket, type Signer } from './model-tickets.js';

export { eventId, otherEventId } from './model-tickets.js';
export const gates = [
  { uuid: 'b4c3a0de-20a5-4a86-8b6f-8f0a4ad7a3c5', name: 'Main door', types: null },
  { uuid: '3a0e3f0b-7ad0-4f11-9d6a-0e3c0c1f6f11', name: 'Balcony', types: [1] },
] as const;
const types = [
  { uuid: '0e896492-5a88-49d7-92a5-826b2b8adac0', price: 'Full price', product: 'Concert', note: 'Red wristband' },
  { uuid: '1997c3a7-3247-4a27-a07c-a5cbcd801d11', price: 'Balcony', product: 'Concert', note: null },
];

const anotherEvening = { name: 'Another evening', place: 'Blue Hall', start: '2027-05-21T18:30:00Z' };

/** How the requests of one phone fare. */
export interface Line {
  /** `lost`: the server acts, and its answer gets lost. */
  mode: 'up' | 'down' | 'hang' | 'lost';
  delay: number;
  /** Answers with this status instead of asking the server. */
  status: number | null;
}

/** The server of the tests over HTTP: signed packs, batches and everything else that the app asks. */
export class ModelNetwork {
  readonly salt: Bytes = crypto.getRandomValues(new Uint8Array(16));
  readonly quarantined: string[] = [];
  readonly requests: string[] = [];
  /** Languages that the requests asked for. */
  readonly languages = new Set<string | null>();
  /** Members of the event in the pack that differ from the usual. */
  event: Partial<PackPayload['event']> = {};
  head: Partial<PackPayload> = {};
  /** Set: cut-off phones share the types. */
  leases: ModelLeases | null = null;
  leaseEnd: string | null = null;
  /** Requests for these paths are never answered, also those that are under way. */
  hangs: (path: string) => boolean = () => false;
  /** Answers for these paths come after this. */
  late: (path: string) => Promise<void> | undefined = () => undefined;
  role = 'scan';
  /** The answer to a reference has the code, as that of earlier versions. */
  isOldReference = false;
  locked = false;
  /** What staff chose for the device. */
  place: { event: string | null; gate: string | null; moves?: number } = { event: null, gate: null };
  /** With `locked`: when the device opens. */
  opensAt: string | null = null;
  closesAt: string | null = null;
  /** Bodies of `POST /scan/pair/`, in their order. */
  readonly pairings: Record<string, unknown>[] = [];
  /** Code of the problem that every request with this key gets. */
  refusal: { readonly status: number; readonly code: string } | null = null;
  /** Code of the problem that lines for the quarantine get. */
  quarantineRefusal: (lines: number) => { readonly status: number; readonly code: string } | null = () => null;

  private constructor(
    readonly server: ModelServer,
    readonly signer: Signer,
  ) {}

  static async make(server: ModelServer): Promise<ModelNetwork> {
    return new ModelNetwork(server, await makeSigner());
  }

  async sell(count: number, options: { type?: number; reservation?: number; event?: string } = {}): Promise<ModelTicket[]> {
    const tickets = await Promise.all(Array.from({ length: count }, () => makeTicket(this.signer, this.salt, options)));
    this.server.add(...tickets);
    return tickets;
  }

  /** The fetch of one phone. */
  fetchOf(device: string, line: Line): typeof globalThis.fetch {
    return async (input, init) => {
      const url = new URL(String(input), 'http://venue.test');
      const signal = init?.signal;
      this.requests.push(`${device} ${url.pathname}`);
      this.languages.add(new Headers(init?.headers).get('Accept-Language'));
      if (line.mode === 'down') throw new TypeError('fetch failed');
      if (line.mode === 'hang' || this.hangs(url.pathname)) return hanging(signal);
      const isLost = line.mode === 'lost';
      const body = typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : {};
      if (line.delay > 0) await new Promise((done) => setTimeout(done, line.delay));
      if (signal?.aborted) throw new DOMException('Aborted', 'AbortError');
      if (line.status !== null) return json(line.status, { code: 'server.failure' });
      const answer = await this.answer(device, url, body, signal);
      await this.late(url.pathname);
      const { mode } = line as { mode: Line['mode'] };
      if (isLost || mode === 'lost' || mode === 'down' || signal?.aborted) throw new TypeError('connection lost');
      if (mode === 'hang' || this.hangs(url.pathname)) return hanging(signal);
      return answer;
    };
  }

  private async answer(device: string, url: URL, body: Record<string, unknown>, signal?: AbortSignal | null): Promise<Response> {
    const { server, signer } = this;
    const path = url.pathname;
    if (path === '/scan/pair/') {
      this.pairings.push(body);
      if (body['code'] === 'SPENT') return json(410, { code: 'pairing.spent' });
      const names = { device_uuid: device, device_name: device, tenant_name: 'La Lune' };
      const choice = { role: this.role, event: null, gate: null, quarantine_token: `quarantine ${device}` };
      return json(200, { success: true, api_key: `gdev_${device}`, ...names, ...choice, keys: [signer.jwk] });
    }
    if (path === '/scan/quarantine/') {
      const refused = this.quarantineRefusal((body['lines'] as string[]).length);
      if (refused) return json(refused.status, { code: refused.code });
      this.quarantined.push(...(body['lines'] as string[]));
      return json(200, { success: true, count: this.quarantined.length });
    }
    if (this.refusal) return json(this.refusal.status, { code: this.refusal.code });
    if (path === '/scan/events/') return json(200, { results: [this.eventRow(eventId), this.eventRow(otherEventId)] });
    if (path === '/scan/keys/') return json(200, { keys: [signer.jwk] });
    if (path === '/scan/pack/') return this.pack(device, url.searchParams, signal);
    if (path === '/scan/names/') {
      const mark = hashText(await new TicketHasher(this.salt).hashOf(utf8('ada@example.org')));
      const names = [...server.byId.values()].map(({ id, name }) => [id, id, name[0], name[1], '', 'ABCD1234', 'Full price', 0, mark]);
      return json(200, { success: true, position: '1', names });
    }
    if (path === '/scan/contact/') {
      const own = {
        uuid: device,
        name: device,
        role: this.role,
        ...this.place,
        locked: this.locked,
        opens_at: this.opensAt,
        closes_at: this.closesAt,
        wipe: false,
      };
      return json(200, { success: true, server_time: new Date(server.now()).toISOString(), device: own, app: { version: '1' } });
    }
    if (path === '/scan/reference/') {
      const found = [...server.byId.values()].filter(({ id }) => id.replaceAll('-', '').startsWith(body['reference'] as string));
      if (found.length === 1)
        return json(200, { success: true, ticket: found[0]!.id, ...(this.isOldReference && { qrcode_data: found[0]!.code }) });
      return json(200, { success: false, reason: found.length === 0 ? 'unknown' : 'ambiguous', message: 'No ticket.' });
    }
    if (path === '/scan/ticket/') return this.scan(device, body as unknown as ScanAsked);
    if (path === '/scan/undo/') {
      const outcome = server.undo(device, body['scan_id'] as string);
      if (outcome === 'unknown_scan') return json(404, { code: 'scan.unknown' });
      return json(200, outcome === 'undone' ? { success: true } : { success: false, reason: outcome });
    }
    if (path === '/scan/batch/') {
      const lines = body['lines'] as string[];
      if (lines.some(server.poison)) return json(500, { code: 'server.failure' });
      return json(200, { success: true, results: lines.map((line) => server.record(device, line)) });
    }
    return json(404, { code: 'request.route' });
  }

  private scan(device: string, asked: ScanAsked): Response {
    const { outcome, moved } = this.server.scan(device, asked);
    const success = ['accepted', 'readmitted', 'left'].includes(outcome);
    if (outcome === 'unknown') return json(404, { code: 'ticket.unknown' });
    const ticket = this.server.ticketOf(asked.qrcode_data ?? asked.ticket ?? '');
    const entry = ticket && this.server.movesOf(ticket).findLast(({ outcome: one }) => one !== 'left');
    const names = { first_name: ticket?.name[0], last_name: ticket?.name[1], price: 'Full price', product: 'Concert' };
    return json(200, {
      success,
      ...(!success && { reason: outcome }),
      ...(outcome === 'wrong_event' && { event: anotherEvening }),
      ...(outcome === 'already_scanned' && entry && { scanned_at: new Date(entry.at).toISOString(), scanned_by_name: entry.device }),
      ticket: names,
      notes: [this.event.note, types[ticket?.type ?? 0]?.note].filter(Boolean),
      age: this.event.age ?? null,
      moved,
    });
  }

  private async pack(device: string, query: URLSearchParams, signal?: AbortSignal | null): Promise<Response> {
    const { server } = this;
    const [after = null, told] = query.get('after')?.split('-') ?? [];
    const given = this.leases?.give(device, query.get('holder'), types.length, server.now());
    const mark = String(given?.end ?? 0);
    const isCurrent = (): boolean => after !== null && Number(after) >= server.version && told === mark;
    if (isCurrent()) await server.change(signal, Number(query.get('wait') ?? 0) * 1000);
    if (isCurrent()) return new Response(null, { status: 204 });
    const event = query.get('event') ?? eventId;
    const all = [...server.byId.values()].filter((ticket) => ticket.event === event);
    const devices = [...new Set(server.movements.map((one) => one.device))].map((name) => ({ uuid: name, name }));
    const changed = after === null ? all : all.filter(({ version }) => version > Number(after));
    const rows = changed.map((ticket): PackTicket => this.row(ticket)).toSorted((one, other) => (one.hash < other.hash ? -1 : 1));
    const lists = { types, gates, devices };
    const due = Object.fromEntries(changed.flatMap((ticket) => (ticket.due === null ? [] : [[ticket.hashText, ticket.due]])));
    const payload: PackPayload = {
      schema: 2,
      full: after === null,
      event: { ...this.eventRow(event), reentry: true, note: null, age: null, ...this.event },
      position: `${server.version}-${mark}`,
      server_time: new Date(server.now()).toISOString(),
      time_zone: 'Europe/Paris',
      lease_end: this.leaseEnd ?? new Date(server.now() + 72_000_000).toISOString(),
      policy: this.leases ? 'one_device' : 'record',
      salt: toBase64url(this.salt),
      keys: [this.signer.jwk],
      ...lists,
      mine: { device, types: given?.types ?? null, end: given ? new Date(given.end).toISOString() : null, holders: given?.holders ?? [] },
      lease_ms: given && given.types.length > 0 ? given.end - server.now() : null,
      counts: {
        expected: all.length,
        admitted: all.filter((one) => server.placeOf(one) > 0).length,
        inside: server.insideOf(event),
        gates: [0, 0],
        elsewhere: 0,
      },
      conflicts: [],
      wrong_events: server.conflicts.filter((one) => one.kind === 'wrong_event' && one.line.startsWith(`${device} `)).map(wrongEvent),
      ...writeColumns(rows, lists),
      ...(Object.keys(due).length > 0 && { due }),
      ...(after !== null && { group: '' }),
      ...this.head,
      count: all.length,
    };
    return json(200, await this.signed(payload));
  }

  async signed(payload: PackPayload): Promise<object> {
    const text = JSON.stringify(payload);
    return {
      success: true,
      payload: text,
      kid: this.signer.jwk.kid,
      signature: toBase64url(await this.signer.sign(`guichet-pack.1\n${text}`)),
    };
  }

  row(ticket: ModelTicket): PackTicket {
    const last = this.server.movesOf(ticket).at(-1);
    return {
      hash: ticket.hash,
      typeId: types[ticket.type]?.uuid ?? null,
      state: ticket.cancelled ? 5 : ticket.due === null ? this.server.placeOf(ticket) : 3,
      gateId: null,
      deviceId: last?.device ?? null,
      transfers: 0,
      moment: last ? Math.floor(last.at / 1000) : 0,
      group: ticket.reservation,
      sealed: ticket.sealed,
    };
  }

  private eventRow(uuid: string): { uuid: string; name: string; place: null; start: string; end: null; doors: null; closes: null } {
    return {
      uuid,
      name: 'Nuit blanche',
      place: null,
      start: new Date(this.server.now()).toISOString(),
      end: null,
      doors: null,
      closes: null,
    };
  }
}

function wrongEvent({ line }: ModelServer['conflicts'][number]): NonNullable<PackPayload['wrong_events']>[number] {
  const entry = { device_name: line.split(' ')[0]!, gate: null, at: null, error_ms: 0 };
  return { id: line, reference: null, event: { name: anotherEvening.name, start: anotherEvening.start }, entry, decision: null };
}

function json(status: number, body: object): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });
}

function hanging(signal?: AbortSignal | null): Promise<never> {
  return new Promise((_, failed) => {
    signal?.addEventListener('abort', () => failed(new DOMException('Aborted', 'AbortError')));
  });
}
