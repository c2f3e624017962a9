import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  databaseNow,
  isUuid,
  isVisible,
  RefusedInput,
  refuseUnfitText,
  SecretBox,
  SETTINGS,
  violatedConstraint,
  type Settings,
} from '#kernel';
import { eventEndAfterSql } from '#catalogue';
import { currentTenant, demandModule, SealedColumnsService, TenantDb, type Tx } from '#tenancy';
import { refuseUnfitGates } from '../gates/fitting-gates.js';
import { deviceRoles, type DeviceRole } from '../model/connection.dto.js';
import { TeamCode } from './team-code.entity.js';
import { mintTeamCode, selectorOf, shownTeamCode } from './team-code-format.js';
import { overviewSql, type TeamCodeState } from './team-code-sql.js';
import { texts } from '../locales/scan.texts.js';

/** A new team code. Absent members have the defaults below. */
export interface NewTeamCode {
  readonly name: string;
  /** 1 to 500; default 10. */
  readonly places?: number;
  /** Default: when the devices of its event close; without an event, in 12 hours. At most a year from now. */
  readonly expiresAt?: Date | null;
  readonly eventId?: string | null;
  readonly gateId?: string | null;
  /** Empty or null: all gates. */
  readonly gateIds?: readonly string[] | null;
  readonly role?: DeviceRole;
  /** 0 to 10,080 (a week); default 120. */
  readonly opensMinutesBefore?: number;
  readonly closesMinutesAfter?: number;
}

/** What staff change of a team code whose phones are paired. Event, start gate, gates and role went to the phones. */
export type TeamCodeChange = Partial<Pick<NewTeamCode, 'name' | 'places' | 'expiresAt' | 'opensMinutesBefore' | 'closesMinutesAfter'>>;

/** A team code as staff see it, without the code itself. */
export interface TeamCodeOverview {
  readonly id: string;
  readonly name: string;
  readonly role: DeviceRole;
  readonly places: number;
  /** Places that devices take. */
  readonly taken: number;
  readonly state: TeamCodeState;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
  readonly createdAt: Date;
  readonly eventId: string | null;
  readonly eventName: string | null;
  readonly startsAt: Date | null;
  /** Opening hours of its devices; null: it has no event. */
  readonly opensAt: Date | null;
  readonly closesAt: Date | null;
  /** The gate at which its devices start. */
  readonly gateName: string | null;
  /** The gates that they may use; null: all. */
  readonly gateNames: readonly string[] | null;
}

export interface CreatedTeamCode {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly expiresAt: Date;
}

/** A code that may be the one that was sent. */
interface Candidate {
  readonly id: string;
  readonly sealed: Buffer;
}

export const teamCodeDefaults = { places: 10, hours: 12, minutes: 120 } as const;
const mostPlaces = 500;
const mostMinutes = 10_080;
const longestMs = 366 * 86_400_000;

const candidatesStatement = {
  name: 'team-code-candidates',
  text: `select id, sealed_code as sealed from {tenant}.team_code where selector = $1 order by created_at desc, id limit 50`,
};

/** Manages the team codes of the current tenant on behalf of staff. */
@Injectable()
export class TeamCodesService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly box: SecretBox,
    private readonly sealed: SealedColumnsService,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'eventMinutes'>,
  ) {}

  onModuleInit(): void {
    this.sealed.add({ table: 'team_code', column: 'sealed_code', purpose });
  }

  /** @returns the new code. @throws RefusedInput on the members of NewTeamCode; Problem 403 `tenant.module` */
  create(input: NewTeamCode): Promise<CreatedTeamCode> {
    return this.db.transaction((tx) => this.createIn(tx, input));
  }

  /** As `create`, in a transaction. */
  async createIn(tx: Tx, input: NewTeamCode): Promise<CreatedTeamCode> {
    demandModule('scanning');
    const columns = checked(input);
    const code = mintTeamCode();
    const sealedCode = this.box.seal(Buffer.from(code), purpose());
    const { eventMinutes } = this.settings;
    return asInput(async () => {
      const { eventId, gateId, gateIds } = columns;
      await refuseUnfitGates(tx, { gateId: gateId === null ? [] : [gateId], gateIds: gateIds ?? [] }, eventId);
      const expiresAt = columns.expiresAt ?? (await defaultExpiry(tx, columns, eventMinutes));
      const { identifiers } = await tx.insert(TeamCode, { ...columns, expiresAt, selector: selectorOf(code), sealedCode, eventMinutes });
      return { id: (identifiers[0] as { id: string }).id, name: columns.name, code: shownTeamCode(code), expiresAt };
    });
  }

  /**
   * Changes a code that was not ended; one that expired pairs phones again with a later expiry. Opening hours hold for its phones at once.
   * Fewer places than phones only refuse further ones. `expiresAt` null: as for a new code.
   * @returns false when there is no such code, or it was ended. @throws RefusedInput on the members of TeamCodeChange
   */
  async change(id: string, change: TeamCodeChange): Promise<boolean> {
    if (!isUuid(id)) return false;
    const { eventMinutes } = this.settings;
    return this.db.transaction(async (tx) => {
      // Phones that pair at this moment lock the code, too.
      const [known] = await tx.query<(Omit<TeamCode, 'expiresAt'> & { expiresAt: Date })[]>(
        `select name, places, role, event_id as "eventId", gate_id as "gateId", gate_ids as "gateIds", expires_at as "expiresAt",
           opens_minutes_before as "opensMinutesBefore", closes_minutes_after as "closesMinutesAfter"
         from team_code where id = $1 and ended_at is null for update`,
        [id],
      );
      if (!known) return false;
      const keepsExpiry = change.expiresAt === undefined || isSameMinute(change.expiresAt, known.expiresAt);
      const columns = checked({ ...known, ...change, expiresAt: keepsExpiry ? null : (change.expiresAt ?? null) });
      const { name, places, opensMinutesBefore, closesMinutesAfter } = columns;
      const expiresAt = keepsExpiry ? known.expiresAt : (columns.expiresAt ?? (await defaultExpiry(tx, columns, eventMinutes)));
      await tx.update(TeamCode, { id }, { name, places, opensMinutesBefore, closesMinutesAfter, expiresAt });
      return true;
    });
  }

  /** The newest 1,000 team codes, or one. */
  overview(filter: { id?: string } = {}): Promise<TeamCodeOverview[]> {
    return this.db.transaction((tx) => tx.query<TeamCodeOverview[]>(overviewSql, [filter.id ?? null]));
  }

  /** The code as staff print it; undefined: there is no such code, or it pairs no more phones. */
  async show(id: string): Promise<{ code: string; expiresAt: Date } | undefined> {
    const row = await this.db.transaction((tx) =>
      tx.findOne(TeamCode, { select: { id: true, sealedCode: true, expiresAt: true, endedAt: true }, where: { id } }),
    );
    if (!row || row.endedAt || row.expiresAt.getTime() <= databaseNow().getTime()) return undefined;
    return { code: shownTeamCode(this.box.open(row.sealedCode, purpose()).toString()), expiresAt: row.expiresAt };
  }

  /** Ends a code: it pairs no more phones. Its devices keep working. @returns false when there is no such code */
  async end(id: string): Promise<boolean> {
    const [, count] = await this.db.transaction((tx) =>
      tx.query<[unknown[], number]>('update team_code set ended_at = coalesce(ended_at, (select now())) where id = $1', [id]),
    );
    return count === 1;
  }

  /** The id of a code, also of one that ended; undefined: there is none. @param code from `parseTeamCode` */
  async find(code: string): Promise<string | undefined> {
    const candidates = await this.db.statement<Candidate & Record<string, unknown>>(candidatesStatement, [selectorOf(code)]);
    const sent = Buffer.from(code);
    return candidates.find(({ sealed }) => {
      const stored = this.box.open(sealed, purpose());
      return stored.length === sent.length && timingSafeEqual(stored, sent);
    })?.id;
  }
}

function purpose(tenantId = currentTenant().id): string {
  return `team code ${tenantId}`;
}

function checked(input: NewTeamCode) {
  const { name, places = teamCodeDefaults.places, eventId = null, role = 'scan' } = input;
  const gateId = input.gateId ? lowerCase(input.gateId) : null;
  const { opensMinutesBefore = teamCodeDefaults.minutes, closesMinutesAfter = teamCodeDefaults.minutes } = input;
  refuseUnfitText('name', name, 80);
  if (!isVisible(name)) throw new RefusedInput('name', texts.localized('teamCodes.nameInvalid'));
  refuseOutside('places', places, 1, mostPlaces);
  refuseOutside('opensMinutesBefore', opensMinutesBefore, 0, mostMinutes);
  refuseOutside('closesMinutesAfter', closesMinutesAfter, 0, mostMinutes);
  const expiresAt = input.expiresAt ?? null;
  const ahead = expiresAt === null ? 1 : expiresAt.getTime() - databaseNow().getTime();
  if (!(ahead > 0 && ahead <= longestMs)) throw new RefusedInput('expiresAt', texts.localized('teamCodes.expiryInvalid'));
  if (!deviceRoles.includes(role)) throw new RefusedInput('role', texts.localized('scanningDevices.roleInvalid'));
  const gateIds = input.gateIds?.length ? [...new Set(input.gateIds.map(lowerCase))] : null;
  for (const [field, ids] of Object.entries({ eventId: [eventId], gateId: [gateId], gateIds: gateIds ?? [] })) {
    if (ids.some((id) => id !== null && !isUuid(id))) throw new RefusedInput(field, texts.localized('gates.unknown'));
  }
  if (gateIds && (gateIds.length > 100 || (gateId !== null && !gateIds.includes(gateId)))) {
    throw new RefusedInput('gateIds', texts.localized('teamCodes.gateExcluded'));
  }
  return { name: name.trim(), places, expiresAt, eventId, gateId, gateIds, role, opensMinutesBefore, closesMinutesAfter };
}

/** Forms have no seconds. */
const isSameMinute = (one: Date | null, other: Date): boolean => one !== null && Math.abs(one.getTime() - other.getTime()) < 60_000;

const lowerCase = (id: string): string => id.toLowerCase();

/** A code that is printed days before its event lasts until the phones of the event close. */
async function defaultExpiry(
  tx: Tx,
  { eventId, closesMinutesAfter }: { eventId: string | null; closesMinutesAfter: number },
  eventMinutes: number,
): Promise<Date> {
  const now = databaseNow().getTime();
  const [hours] = await tx.query<{ closes: Date }[]>(
    `select ${eventEndAfterSql('e', '$2::int')} + make_interval(mins => $3::int) as closes from event e where e.id = $1`,
    [eventId, eventMinutes, closesMinutesAfter],
  );
  const closes = hours?.closes.getTime() ?? 0;
  return new Date(closes > now ? Math.min(closes, now + longestMs) : now + teamCodeDefaults.hours * 3_600_000);
}

function refuseOutside(field: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw new RefusedInput(field, texts.localized('teamCodes.numberInvalid', { least, most }));
}

/** Turns a violated foreign key into a fault of its field. */
async function asInput<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const constraint = violatedConstraint(error);
    if (constraint === 'team_code_event_id_fkey') throw new RefusedInput('eventId', texts.localized('gates.unknown'));
    if (constraint === 'team_code_gate_id_fkey') throw new RefusedInput('gateId', texts.localized('gates.unknown'));
    throw error;
  }
}
