import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pass } from 'node:timers/promises';

// A connection for each request: the server closes idle ones, perhaps at the moment of the next request.
const agent = new Agent({ maxSockets: 60 });

/** Sends one request. A body that is not JSON becomes an empty object. */
export async function call({ port, host, path, body, key, form = false, headers = {} }) {
  const payload = body === undefined || form ? body : JSON.stringify(body);
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    agent,
    method: payload === undefined ? 'GET' : 'POST',
    headers: {
      host: `${host}:${port}`,
      ...(payload !== undefined && {
        'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
        'content-length': Buffer.byteLength(payload),
      }),
      ...(key && { authorization: `Api-Key ${key}` }),
      ...headers,
    },
  });
  sent.setTimeout(30_000, () => sent.destroy(new Error('timeout')));
  sent.end(payload);
  const [answer] = await once(sent, 'response');
  const written = await text(answer);
  let parsed = {};
  try {
    parsed = JSON.parse(written);
  } catch {}
  return { status: answer.statusCode, headers: answer.headers, body: parsed };
}

/** Requests of one kind and tenant that are under way at most. Without a bound, a slow machine gets more requests than it answers. */
const together = 4;

/** Scans, bookings and pages of one tenant; a tenant without a key has pages only. Nothing is sent again. */
export class Load {
  phase = 'before';
  booked = [];
  scanned = [];
  codes = [];
  answers = [];
  underWay = { page: 0, booking: 0, scan: 0 };
  timers = [];

  constructor(port, venue) {
    this.port = port;
    this.venue = venue;
  }

  /** Books tickets to scan. */
  async stock(count) {
    while (this.codes.length < count) await this.book();
  }

  start() {
    const ask = (what, work) => (this.underWay[what] < together ? this.count(what, work) : undefined);
    const every = (ms, what, work) => this.timers.push(setInterval(() => void ask(what, work), ms));
    every(250, 'page', () => this.ask('/'));
    if (!this.venue.key) return;
    every(400, 'booking', () => this.book());
    every(250, 'scan', () => this.scan());
  }

  async stop() {
    this.timers.forEach(clearInterval);
    while (Object.values(this.underWay).some((count) => count > 0)) await pass(50);
  }

  async count(what, work) {
    const { phase } = this;
    const begun = performance.now();
    this.underWay[what] += 1;
    try {
      const answer = await work();
      if (answer)
        this.answers.push({
          what,
          phase,
          ms: performance.now() - begun,
          status: answer.status,
          code: answer.body.code,
          again: answer.headers['retry-after'],
        });
    } catch (error) {
      this.answers.push({ what, phase, ms: performance.now() - begun, status: error.code ?? error.message });
    } finally {
      this.underWay[what] -= 1;
    }
  }

  ask(path, key, body, headers) {
    return call({ port: this.port, host: this.venue.host, path, key, body, headers });
  }

  async book() {
    const { key, eventId, offerId } = this.venue;
    const body = {
      reservationFor: { identifier: eventId },
      underName: { email: `${randomUUID()}@example.org`, givenName: 'Ada', familyName: 'Martin' },
      reservedTicket: [{ identifier: offerId, ticketQuantity: 1 }],
      confirmed: true,
      paymentMethod: 'cash',
    };
    const answer = await this.ask('/api/v2/reservations/', key, body, { 'idempotency-key': randomUUID() });
    if (answer.status !== 201) return answer;
    this.booked.push(answer.body.identifier);
    const tickets = answer.body.reservedTicket ?? [];
    this.codes.push(...tickets.map(({ qrcode }) => qrcode).filter(Boolean));
    return answer;
  }

  async scan() {
    const code = this.codes.shift();
    if (code === undefined) return undefined;
    const answer = await this.ask('/scan/ticket/', this.venue.deviceKey, { qrcode_data: code, scan_id: randomUUID() });
    if (answer.body.success === true) this.scanned.push(answer.body.ticket.uuid);
    else if (answer.status !== 200) this.codes.push(code);
    return answer;
  }

  /** Number of acknowledged bookings and scans that the database does not have. */
  async lost(client) {
    const count = async (sql, ids) =>
      (await client.query(`select count(*)::int as count from unnest($1::uuid[]) a (id) where ${sql}`, [ids])).rows[0].count;
    const bookings = await count('not exists (select 1 from reservation r where r.id = a.id)', this.booked);
    const scans = await count(`not exists (select 1 from scan_log l where l.ticket_id = a.id and l.outcome = 'accepted')`, this.scanned);
    await client.end();
    return bookings + scans;
  }

  failures(phase) {
    return this.answers.filter((answer) => answer.phase === phase && !(answer.status < 400)).length;
  }

  /** Failures that are not 503 with Retry-After. */
  otherFailures() {
    return this.answers.filter(({ status, again }) => !(status < 400) && !(status === 503 && again)).length;
  }

  lines() {
    const lines = [];
    for (const phase of ['before', 'down', 'after'])
      for (const what of ['scan', 'booking', 'page']) {
        const found = this.answers.filter((answer) => answer.phase === phase && answer.what === what);
        if (found.length === 0) continue;
        const times = found.map(({ ms }) => ms).toSorted((one, other) => one - other);
        const by = new Map();
        for (const { status, code, again } of found) {
          const kind = `${status}${code ? ` ${code}` : ''}${again ? ` Retry-After ${again}` : ''}`;
          by.set(kind, (by.get(kind) ?? 0) + 1);
        }
        const counts = [...by].map(([kind, count]) => `${count} × ${kind}`);
        const at = (share) => Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]);
        lines.push(`${phase.padEnd(7)} ${what.padEnd(8)} ${counts.join(', ')}; p50 ${at(0.5)} p99 ${at(0.99)} max ${at(1)} ms`);
      }
    return lines;
  }
}
