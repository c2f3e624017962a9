import { createHash } from 'node:crypto';
import { DeviceCareService } from '#scan';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newTicket, newTickets } from '../support/builders.js';
import { openDoorVenue, type DoorVenue } from '../support/door/door-venue.js';
import { readProtocol, type Exchange, type Protocol } from '../../apps/door/src/core/testing/recording.js';
import { recordProtocol } from '../support/door/protocol-recording.js';
import { newTeamCode } from '../support/team-codes.js';
import { until } from '../support/until.js';

/** Versions of the app that phones may still run. */
const versions = [1];
let door: DoorVenue;

beforeAll(async () => {
  door = await openDoorVenue();
});
afterAll(() => door?.close());

/** Members whose values decide what the app does; of others the kind counts. */
const fixed = new Set(['success', 'state', 'outcome', 'reason', 'code', 'schema', 'full', 'role', 'policy', 'message_code', 'kind']);

/** What an answer lacks of a recorded one: members, or values of another kind. More members are no difference. */
function lacks(recorded: unknown, now: unknown, path = ''): string[] {
  if (recorded === null || recorded === undefined) return [];
  if (path.endsWith('.payload')) return lacks(JSON.parse(recorded as string), JSON.parse(now as string), `${path}:`);
  if (Array.isArray(recorded)) {
    if (!Array.isArray(now)) return [`${path} is no list`];
    return recorded.length > 0 ? lacks(recorded[0], now[0], `${path}[]`) : [];
  }
  if (typeof recorded === 'object') {
    if (typeof now !== 'object' || now === null) return [`${path} is no object`];
    const given = now as Record<string, unknown>;
    return Object.entries(recorded).flatMap(([name, value]) => lacks(value, given[name], `${path}.${name}`));
  }
  if (typeof now !== typeof recorded) return [`${path} is ${typeof now} and was ${typeof recorded}`];
  const name = path.split('.').at(-1) ?? '';
  // The column of a list, in the order of hashes.
  if (path.endsWith('.payload:.state')) return [];
  return fixed.has(name) && now !== recorded ? [`${path} is ${String(now)} and was ${String(recorded)}`] : [];
}

/** The values of a recording by those of this run. */
class Translation {
  private readonly pairs = new Map<string, string>();
  private previous: string | null = null;

  constructor(private readonly shift: number) {}

  add(recorded: unknown, now: unknown): void {
    if (typeof recorded === 'string' && typeof now === 'string') this.pairs.set(recorded, now);
  }

  text(recorded: string): string {
    let text = recorded;
    for (const [one, other] of this.pairs) text = text.replaceAll(one, other);
    return text.replaceAll(/"device_time\\?":\\?"([^"\\]+)/g, (whole, time: string) =>
      whole.replace(time, new Date(Date.parse(time) + this.shift).toISOString()),
    );
  }

  /** A body; the lines of a journal keep their chain of hashes. */
  body(recorded: string): object {
    const body = JSON.parse(recorded) as { lines?: string[] };
    if (!body.lines) return JSON.parse(this.text(recorded)) as object;
    return {
      lines: body.lines.map((line) => {
        const given = JSON.parse(this.text(line)) as Record<string, unknown>;
        if ('previous' in given && this.previous !== null) given['previous'] = this.previous;
        const text = JSON.stringify(given);
        this.previous = createHash('sha256').update(text).digest('base64url');
        return text;
      }),
    };
  }
}

describe.each(versions)('the app with version %i of the protocol', (version) => {
  (process.env['DOOR_PROTOCOL'] === String(version) ? it : it.skip)('is recorded', () => recordProtocol(door, version), 120_000);

  it('works with this server', async () => {
    const { test, tenant, gates } = door;
    const recorded: Protocol = readProtocol(version);
    const event = await door.newEvent({ name: 'Tonight', startsAt: new Date() });
    const translation = new Translation(Date.now() - recorded.now);
    const sell = (): Promise<{ code: string }> => newTicket(test, tenant, { event });
    const own = [await sell(), await sell(), await sell()];
    const tickets = [...own, ...(await newTickets(test, tenant, { event, count: 3 }))];
    for (const [at, { code }] of tickets.entries()) translation.add(recorded.codes[at], code);
    translation.add(recorded.event, event.id);
    translation.add(recorded.gate, gates.main);
    translation.add(recorded.teamCode, (await newTeamCode(test, tenant, { role: 'supervisor', name: 'Main door' })).code);
    let device = '';
    const ask = async (one: Exchange): Promise<{ status: number; body: unknown }> => {
      const asked = test.on(tenant)[one.method === 'GET' ? 'get' : 'post'](translation.text(one.path));
      if (one.authorization !== null) void asked.set('Authorization', translation.text(one.authorization));
      return one.body === null ? asked : asked.send(translation.body(one.body));
    };
    for (const step of recorded.steps) {
      if ('does' in step) {
        if (step.does === 'sell') translation.add(recorded.codes[6], (await sell()).code);
        else await test.inside(tenant, () => test.app.get(DeviceCareService).wipe(device));
        continue;
      }
      const name = `${step.method} ${step.path}`;
      // Changes of the list arrive within two seconds.
      const answered = step.path.includes('after=')
        ? await until(
            () => ask(step),
            ({ status }) => status !== 204,
          )
        : await ask(step);
      expect([name, answered.status]).toEqual([name, step.status]);
      expect([name, lacks(step.answer, answered.body)]).toEqual([name, []]);
      const [before, now] = [step.answer, answered.body] as [Record<string, unknown>, Record<string, unknown>];
      for (const member of ['api_key', 'quarantine_token', 'device_uuid']) translation.add(before[member], now[member]);
      if (typeof now['device_uuid'] === 'string') device = now['device_uuid'];
      if (typeof now['payload'] === 'string' && typeof before['payload'] === 'string') {
        const position = (text: string): string => (JSON.parse(text) as { position: string }).position;
        translation.add(position(before['payload']), position(now['payload']));
      }
    }
    // Nothing of the evening is lost, and nobody is counted twice.
    const [sums] = await test.database.query<{ inside: string; kept: string }>(
      `select (select count(*) from "${tenant.schemaName}".ticket where event_id = $1 and scanned_at is not null) as inside,
        (select count(*) from "${tenant.schemaName}".quarantine_line) as kept`,
      [event.id],
    );
    expect({ inside: Number(sums?.inside), kept: Number(sums?.kept) }).toEqual({ inside: 6, kept: 1 });
  }, 120_000);
});
