import { databaseNow, isUuid, SignedLinks } from '#kernel';
import { currentTenant, TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { TeamCodesService } from './team-codes.service.js';

/** A ticket of the practice, and what pairs a phone to scan it. */
export interface PracticeTicket {
  /** What its QR code contains. */
  readonly ticket: string;
  /** The team code of the phone, as people type it. */
  readonly code: string;
  /** Whether a phone was paired by it. */
  readonly isPaired: boolean;
  /** Whether a device scanned the ticket. */
  readonly isScanned: boolean;
}

/**
 * Tickets with which staff try the door. They are no tickets: no table, capacity, sum, export or mail has them. Each belongs to a team code
 * for one phone, and is worth nothing when that expires.
 */
@Injectable()
export class PracticeTicketsService {
  constructor(
    private readonly db: TenantDb,
    private readonly codes: TeamCodesService,
    private readonly links: SignedLinks,
  ) {}

  /** Makes a ticket. @param name of its team code and so of the phone @returns its id. @throws Problem 403 `tenant.module` */
  async create(name: string): Promise<string> {
    const expiresAt = new Date(databaseNow().getTime() + practiceHours * 3_600_000);
    const { id } = await this.codes.create({ name, places: 1, expiresAt });
    return id;
  }

  /** @returns undefined when it has expired, or there is none */
  async find(id: string): Promise<PracticeTicket | undefined> {
    if (!isUuid(id)) return undefined;
    const [shown, rows] = [
      await this.codes.show(id),
      await this.db.transaction((tx) =>
        tx.query<Pick<PracticeTicket, 'isPaired' | 'isScanned'>[]>(
          `select practised_at is not null as "isScanned",
             exists (select 1 from scanning_device d where d.team_code_id = team_code.id and d.claimed_at is not null) as "isPaired"
           from team_code where id = $1`,
          [id],
        ),
      ),
    ];
    return shown && rows[0] && { ...rows[0], code: shown.code, ticket: `${prefix}${id}.${this.links.markOf(subjectOf(id))}` };
  }

  /** Records that a device scanned a practice ticket, however often. @returns false when the ticket is none, or has expired */
  async scanned(ticket: string): Promise<boolean> {
    const [, id = '', mark = ''] = /^GUICHET-PRACTICE:TICKET:([^.]{36})\.(.{1,100})$/.exec(ticket) ?? [];
    if (!isUuid(id) || !this.links.isMarkOf(mark, subjectOf(id))) return false;
    const rows = await this.db.statement<{ id: string }>(scannedStatement, [id]);
    return rows.length > 0;
  }
}

/** Tomorrow nobody can use it any more. */
const practiceHours = 24;
const prefix = 'GUICHET-PRACTICE:TICKET:';
const subjectOf = (id: string): string => `practice ticket:${currentTenant().id}:${id}`;

const scannedStatement = {
  name: 'practice-scanned',
  text: `update {tenant}.team_code set practised_at = coalesce(practised_at, (select now()))
    where id = $1 and ended_at is null and expires_at > (select now()) returning id`,
};
