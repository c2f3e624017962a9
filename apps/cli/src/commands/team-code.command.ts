import { databaseNow, isUuid } from '#kernel';
import { deviceRoles, Gate, TeamCodesService, type DeviceRole, type TeamCodeOverview } from '#scan';
import { TenantDb, type TenantIdentity } from '#tenancy';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { toString as drawQr } from 'qrcode';
import { eventOf } from '../terminal/event.js';
import { Refusal } from '../terminal/failure.js';
import { clock, documented, guichet, say, show, table } from '../terminal/output.js';
import { iso, withSession, type Session } from '../terminal/session.js';

interface TenantOptions {
  readonly tenant: string;
  readonly json?: boolean;
}

interface ChangeOptions extends TenantOptions {
  readonly name?: string;
  readonly places?: number;
  readonly hours?: number;
  readonly opensBefore?: number;
  readonly closesAfter?: number;
}

interface CreateOptions extends ChangeOptions {
  readonly name: string;
  readonly event?: string;
  readonly gate?: string;
  readonly allowGate?: readonly string[];
  readonly role?: DeviceRole;
}

/** `team-code create`, `list`, `show`, `change` and `end`. */
export function teamCodeCommands(noun: Command): void {
  const create = noun
    .command('create')
    .description('Creates a team code, which pairs several phones, and prints its address.')
    .requiredOption('--tenant <slug>', 'the venue or festival')
    .requiredOption('--name <name>', 'phones are named after it')
    .option('--places <number>', 'how many phones it pairs (default: 10)', readWhole)
    .option(
      '--hours <number>',
      'pairs phones for so many hours (default: until the phones of the event close; without an event, 12)',
      readWhole,
    )
    .option('--event <event>', 'slug or UUID: its phones work around this event only (default: any event)')
    .option('--gate <gate>', 'name or UUID of the gate at which the phones start')
    .option('--allow-gate <gate...>', 'names or UUIDs of the gates that the phones may use (default: all)')
    .addOption(new Option('--role <role>', 'what the phones may do (default: scan)').choices(deviceRoles))
    .option('--opens-before <minutes>', 'the phones work from so many minutes before the event (default: 120)', readWhole)
    .option('--closes-after <minutes>', 'until so many minutes after it (default: 120)', readWhole);
  documented(create, {
    'team-code create --tenant demo --name "Main door" --places 8': 'prints the address; code and QR code go to standard error',
    'team-code create --tenant demo --name "Main door" --json': 'prints {"door_url", "code", "uuid", "name", "expires_at"}',
  }).action(createCode);

  const list = noun
    .command('list')
    .description('Lists team codes, newest first, without the codes themselves.')
    .requiredOption('--tenant <slug>', 'the venue or festival');
  documented(list, {
    'team-code list --tenant demo': 'prints a table of state, places, expiry, role, event, and name',
    'team-code list --tenant demo --json': 'prints an array of the same',
  }).action(listCodes);

  const again = noun
    .command('show')
    .description('Prints the address of a team code again, while it pairs phones.')
    .argument('<uuid>', 'the team code, from the list')
    .requiredOption('--tenant <slug>', 'the venue or festival');
  documented(again, { 'team-code show 0e896492-5a88-49d7-92a5-826b2b8adac0 --tenant demo': 'prints the address' }).action(showCode);

  const change = noun
    .command('change')
    .description('Changes a team code that was not ended. Opening hours hold for its phones at once.')
    .argument('<uuid>', 'the team code, from the list')
    .requiredOption('--tenant <slug>', 'the venue or festival')
    .option('--name <name>', 'further phones are named after it')
    .option('--places <number>', 'how many phones it pairs; fewer than it paired refuse further ones only', readWhole)
    .option('--hours <number>', 'pairs phones for so many hours from now, also when it expired', readWhole)
    .option('--opens-before <minutes>', 'the phones work from so many minutes before the event', readWhole)
    .option('--closes-after <minutes>', 'until so many minutes after it', readWhole);
  documented(change, {
    'team-code change 0e896492-5a88-49d7-92a5-826b2b8adac0 --tenant demo --places 12 --closes-after 180': 'prints the UUID',
  }).action(changeCode);

  const end = noun
    .command('end')
    .description('Ends a team code: it pairs no more phones. Its phones keep working.')
    .argument('<uuid>', 'the team code, from the list')
    .requiredOption('--tenant <slug>', 'the venue or festival');
  documented(end, { 'team-code end 0e896492-5a88-49d7-92a5-826b2b8adac0 --tenant demo': 'prints the UUID' }).action(endCode);
}

async function createCode(options: CreateOptions): Promise<void> {
  const { name, places, hours, role, opensBefore, closesAfter } = options;
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      const eventId = options.event === undefined ? null : await eventOf(session, tenant, options.event);
      const gates = await gatesOf(session, eventId);
      const made = await session.service(TeamCodesService).create({
        name,
        eventId,
        gateId: options.gate === undefined ? null : gates(options.gate),
        gateIds: options.allowGate?.map(gates) ?? null,
        expiresAt: hours === undefined ? null : inHours(hours),
        ...(places !== undefined && { places }),
        ...(role !== undefined && { role }),
        ...(opensBefore !== undefined && { opensMinutesBefore: opensBefore }),
        ...(closesAfter !== undefined && { closesMinutesAfter: closesAfter }),
      });
      await printCode(options, session, tenant, made);
    }),
  );
}

async function showCode(id: string, options: TenantOptions): Promise<void> {
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      const codes = session.service(TeamCodesService);
      const [known] = isUuid(id) ? await codes.overview({ id }) : [];
      if (!known) throw unknownCode(tenant);
      const shown = await codes.show(id);
      if (!shown) throw new Refusal(`The team code ${known.name} pairs no more phones.`);
      await printCode(options, session, tenant, { id: known.id, name: known.name, ...shown });
    }),
  );
}

async function changeCode(id: string, options: ChangeOptions): Promise<void> {
  const { name, places, hours, opensBefore, closesAfter } = options;
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      const changed = await session.service(TeamCodesService).change(id, {
        ...(name !== undefined && { name }),
        ...(places !== undefined && { places }),
        ...(hours !== undefined && { expiresAt: inHours(hours) }),
        ...(opensBefore !== undefined && { opensMinutesBefore: opensBefore }),
        ...(closesAfter !== undefined && { closesMinutesAfter: closesAfter }),
      });
      if (!changed) throw unknownCode(tenant);
      show(options, { uuid: id.toLowerCase() }, id);
    }),
  );
}

const inHours = (hours: number): Date => new Date(databaseNow().getTime() + hours * 3_600_000);

async function endCode(id: string, options: TenantOptions): Promise<void> {
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      if (!isUuid(id) || !(await session.service(TeamCodesService).end(id))) throw unknownCode(tenant);
      show(options, { uuid: id.toLowerCase() }, id);
    }),
  );
}

async function listCodes(options: TenantOptions): Promise<void> {
  await withSession((session) =>
    session.inTenant(options.tenant, async (tenant) => {
      const codes = await session.service(TeamCodesService).overview();
      const rows = codes.map(({ id, state, taken, places, expiresAt, role, eventName, name }) => [
        id,
        state,
        `${taken} / ${places}`,
        clock(expiresAt, tenant.timeZone),
        role,
        eventName ?? '-',
        name,
      ]);
      const head = ['UUID', 'STATE', 'PHONES', 'UNTIL', 'ROLE', 'EVENT', 'NAME'];
      show(
        options,
        codes.map((code) => toDocument(code, tenant)),
        table(head, rows, 'There is no team code.'),
      );
    }),
  );
}

function toDocument(code: TeamCodeOverview, tenant: TenantIdentity): object {
  return {
    uuid: code.id,
    name: code.name,
    state: code.state,
    places: code.places,
    places_taken: code.taken,
    role: code.role,
    event_uuid: code.eventId,
    event: code.eventName,
    gate: code.gateName,
    allowed_gates: code.gateNames,
    opens_at: iso(code.opensAt, tenant),
    closes_at: iso(code.closesAt, tenant),
    expires_at: iso(code.expiresAt, tenant),
    ended_at: iso(code.endedAt, tenant),
    created_at: iso(code.createdAt, tenant),
  };
}

interface ShownCode {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly expiresAt: Date;
}

/** The address is the result; what people scan and type are hints. */
async function printCode(options: TenantOptions, session: Session, tenant: TenantIdentity, made: ShownCode): Promise<void> {
  const { id, name, code, expiresAt } = made;
  const doorUrl = session.address(tenant, `/door/#pair=${code}`);
  show(options, { door_url: doorUrl, code, uuid: id, name, expires_at: iso(expiresAt, tenant) }, doorUrl);
  if (options.json) return;
  for (const line of (await drawQr(doorUrl, { type: 'utf8', errorCorrectionLevel: 'M' })).split('\n')) say(line);
  say(`Or open ${session.address(tenant, '/door')} and type ${code}`);
  say(`It pairs phones until ${clock(expiresAt, tenant.timeZone)} (${tenant.timeZone}).`);
}

/** Finds gates of the place and of the event by name or UUID. */
async function gatesOf(session: Session, eventId: string | null): Promise<(wanted: string) => string> {
  const gates = await session.service(TenantDb).transaction((tx) => tx.find(Gate, { select: { id: true, name: true, eventId: true } }));
  const offered = gates.filter((gate) => eventId === null || gate.eventId === null || gate.eventId === eventId);
  return (wanted) => {
    const named = offered.filter(({ id, name }) => id === wanted.toLowerCase() || name === wanted.trim());
    if (named.length > 1) throw new Refusal(`Several gates are called "${wanted}": give the UUID of one.`);
    if (named[0]) return named[0].id;
    throw new Refusal(`There is no gate "${wanted}" here. The gates: ${offered.map(({ name }) => name).join(', ') || 'none'}`);
  };
}

const unknownCode = ({ slug }: TenantIdentity): Refusal =>
  new Refusal(`The tenant ${slug} has no such team code. Its team codes: ${guichet} team-code list --tenant ${slug}`);

function readWhole(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}
