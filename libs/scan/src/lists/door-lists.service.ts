import { Inject, Injectable } from '@nestjs/common';
import type { TicketStatus } from '#tickets';
import { eventProblem } from '#catalogue';
import { RateLimits, searchWords, SETTINGS, type Settings } from '#kernel';
import { ApiKeysService, TenantDb, type PreparedStatement } from '#tenancy';
import type { Device } from '../devices/device-of.js';
import { problem } from '../model/scan.problems.js';
import { doorEventsStatement } from './door-events.statement.js';
import type { Download } from './downloads.js';
import { ticketListStatement, type TicketOrder } from './ticket-list.statement.js';

/** An event as devices see it. Instants are UTC texts with microseconds. */
export interface DoorEvent {
  readonly uuid: string;
  readonly name: string;
  readonly place: string | null;
  readonly startsAt: string;
  readonly endsAt: string | null;
  /** When its scan window opens and closes; null: no limit. */
  readonly opensAt: string | null;
  readonly closesAt: string | null;
}

/** A ticket as devices see it. */
export interface ListedTicket {
  readonly id: string;
  readonly status: TicketStatus;
  readonly reservationId: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly email: string;
  readonly price: string;
  readonly product: string;
  /** UTC text with microseconds. */
  readonly reservedAt: string;
}

export interface TicketListQuery {
  readonly eventId: string;
  /** Words that a ticket must all contain; an empty text matches every ticket. */
  readonly text: string;
  readonly order: TicketOrder;
  readonly descending: boolean;
  /** Starts at 1. */
  readonly page: number;
  readonly pageSize: number;
}

interface ListRow {
  readonly maySearch: boolean;
  readonly hasEvent: boolean;
  readonly total: number;
  readonly tickets: readonly ListedTicket[];
}

const mostEvents = 200;
const mostWords = 10;

/** Lists that scanning devices may read. */
@Injectable()
export class DoorListsService {
  private readonly eventsStatement: PreparedStatement;

  constructor(
    private readonly db: TenantDb,
    private readonly keys: ApiKeysService,
    private readonly limits: RateLimits,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.eventsStatement = doorEventsStatement(settings);
  }

  /**
   * Running and coming events by start, at most 200.
   * @throws Problem 401/403 when the key was revoked or suspended in the meantime
   */
  async events(device: Device): Promise<readonly DoorEvent[]> {
    const values = [mostEvents, device.deviceId, device.keyId];
    const [row] = await this.db.statement<{ events: readonly DoorEvent[] }>(this.eventsStatement, values);
    if (!row) throw await this.keys.refusalOf(device.keyId);
    return row.events;
  }

  /**
   * As `tickets`, for a search: it costs more than a scan and shows names, so that each device has a smaller limit for it.
   * @throws Problem 429 `rate.limited`, and those of `tickets`
   */
  search(device: Device, query: TicketListQuery): Promise<{ total: number; tickets: readonly ListedTicket[] }> {
    this.limits.countKnown('searches', device.deviceId);
    return this.tickets(device, query, 'ticket_search');
  }

  /**
   * One page of an event's tickets, in any state, without codes. The scan log has who got it.
   * @throws Problem 403 `device.permission`, 404 `event.unknown`, 401/403 when the key was revoked or suspended in the meantime
   */
  async tickets(
    device: Device,
    query: TicketListQuery,
    kind: Download = 'ticket_list',
  ): Promise<{ total: number; tickets: readonly ListedTicket[] }> {
    const words = searchWords(query.text, mostWords);
    const [row] = await this.db.statement<ListRow & Record<string, unknown>>(ticketListStatement, [
      query.eventId,
      device.deviceId,
      device.keyId,
      words.map(({ within }) => within),
      words.map(({ ids }) => ids?.[0] ?? null),
      words.map(({ ids }) => ids?.[1] ?? null),
      query.order,
      query.descending,
      query.pageSize,
      (query.page - 1) * query.pageSize,
      kind,
    ]);
    if (!row) throw await this.keys.refusalOf(device.keyId);
    if (!row.maySearch) throw problem('device.permission');
    if (!row.hasEvent) throw eventProblem('event.unknown');
    return { total: row.total, tickets: row.tickets };
  }
}
