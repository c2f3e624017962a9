import { Inject, Injectable } from '@nestjs/common';
import { SigningKeysService } from '#tickets';
import { eventProblem } from '#catalogue';
import { databaseNow, FairLimit, RecentReadings, SETTINGS, type Settings } from '#kernel';
import { ApiKeysService, currentTenant, TenantDb, type PreparedStatement } from '#tenancy';
import type { Device } from '../devices/device-of.js';
import { LeasesService, type Phone } from '../leases/leases.service.js';
import { limits } from '../limits.js';
import { packBusy, problem } from '../model/scan.problems.js';
import { ownStatement } from './own.statement.js';
import { drawPayload, drawShared, type OwnParts } from './pack-drawing.js';
import { PackLook, type PackRow } from '../pack-data/pack-look.js';
import { PackSaltService, type PackSalt } from '../pack-data/pack-salt.service.js';
import { packStatement } from '../pack-data/pack.statement.js';
import { PackWaitsService } from './pack-waits.service.js';
import { toOwnParts, type OwnRow } from './own-parts.js';
import { isGone, minuteOf, readPosition, shortMark, writePosition, type Position } from '../pack-data/position.js';
import { SealedNamesService } from './sealed-names.service.js';

/** What a device asks for. */
export interface PackQuery {
  readonly eventId: string;
  /** A position: then only what changed since. */
  readonly after?: string | undefined;
  /** Milliseconds to wait for a change. */
  readonly waitMs: number;
  readonly names: boolean;
  /** The phone that asks, for a share of the tickets while it has no connection. */
  readonly phone: Phone;
}

/** A list for one device. */
export interface Pack {
  /** Equal as long as the list is the same. */
  readonly version: object;
  /** The signed text. */
  readonly draw: () => Promise<{ readonly payload: string; readonly kid: string; readonly signature: string }>;
}

const signedPrefix = 'guichet-pack.1\n';
const halfDayMinutes = 12 * 60;

/** Makes lists of the tickets of an event for devices that may lose their connection. */
@Injectable()
export class PackService {
  private readonly statement: PreparedStatement;
  /** Full lists by tenant and event. */
  private readonly fullLooks = new RecentReadings<PackLook>(limits.keptPacks.kept);
  private readonly turns = new FairLimit({ ...limits.packs.turns, refuse: packBusy });
  /** The text of a list, which all devices share, by its look. */
  private readonly drawn = { plain: new WeakMap<PackLook, Promise<string>>(), sealed: new WeakMap<PackLook, Promise<string>>() };

  constructor(
    private readonly db: TenantDb,
    private readonly keys: ApiKeysService,
    private readonly signingKeys: SigningKeysService,
    private readonly salts: PackSaltService,
    private readonly names: SealedNamesService,
    private readonly waits: PackWaitsService,
    private readonly leases: LeasesService,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.statement = packStatement(settings);
  }

  /**
   * The list of an event, or what changed since a position.
   * @returns undefined: nothing changed, or another request of the device waits now
   * @throws Problem 404 `event.unknown`, 410 `pack.position_gone`, 429 `pack.busy`, 401/403 when the key was revoked or suspended
   */
  async pack(device: Device, query: PackQuery): Promise<Pack | undefined> {
    const salt = this.salts.of(query.eventId);
    if (query.after === undefined) {
      const look = await this.fullLook(query.eventId);
      return this.packOf(look, await this.ownParts(device, query, look, salt), query, salt);
    }
    const position = readPosition(query.after);
    if (!position || isGone(position, salt.mark, databaseNow())) throw problem('pack.position_gone');
    return this.delta(device, { ...query, position, salt });
  }

  private async delta(
    device: Device,
    query: PackQuery & { readonly position: Position; readonly salt: PackSalt },
  ): Promise<Pack | undefined> {
    const { eventId, position, salt } = query;
    const end = performance.now() + query.waitMs;
    const last = query.waitMs > 0 ? this.waits.lastLook(eventId) : undefined;
    let look = last?.row.xmin === position.since ? last : await this.look(eventId, position.since);
    const first = await this.ownParts(device, query, look, salt);
    if (look === last && markOf(last, last.known.since, first) !== position.mark) look = await this.look(eventId, position.since);
    if (look.row.table !== position.table || BigInt(look.row.xmax) < BigInt(position.since)) throw problem('pack.position_gone');
    if (markOf(look, BigInt(position.since), first) !== position.mark) return this.packOf(look, first, query, salt);
    let own = first;
    for (;;) {
      const left = end - performance.now();
      if (left <= 0) return undefined;
      const found = await this.waits.wait(device.deviceId, eventId, look.known, left, (since) => this.look(eventId, String(since)));
      if (!found) return undefined;
      const now = await this.ownParts(device, query, found.look, salt);
      const changed = found.listChanged || now.ledger !== own.ledger || now.mine !== own.mine;
      if (changed) return this.packOf(found.look, now, query, salt);
      [look, own] = [found.look, now];
    }
  }

  private packOf(look: PackLook, own: OwnParts, { names, eventId }: PackQuery, salt: PackSalt): Pack {
    if (!look.row.event) throw eventProblem('event.unknown');
    const { table, xmin: since } = look.row;
    const { mine, ledger } = own;
    const minute = minuteOf(databaseNow());
    const mark = markOf(look, look.known.since, own);
    const position = writePosition({ table, since, minute, salt: salt.mark, mark });
    // A device that keeps its list after 304 must have a position that is not too old.
    const version =
      look.since === null ? { names, mine, ledger, digest: look.digest, age: Math.floor(minute / halfDayMinutes) } : { position };
    const draw = async (): ReturnType<Pack['draw']> => {
      const payload = drawPayload(await this.sharedText(look, eventId, names, salt), position, own);
      const { kid, signature } = await this.signingKeys.sign(`${signedPrefix}${payload}`);
      return { payload, kid, signature: signature.toString('base64url') };
    };
    return { version, draw };
  }

  /** What concerns one device alone. @throws Problem 401/403 when its key is no longer valid */
  private async ownParts(device: Device, { eventId, phone }: PackQuery, look: PackLook, salt: PackSalt): Promise<OwnParts> {
    const { deviceId, keyId } = device;
    const [row] = await this.db.statement<OwnRow>(ownStatement, [eventId, deviceId, keyId]);
    if (!row) throw await this.keys.refusalOf(keyId);
    return toOwnParts(row, await this.leases.of(device, phone, look.row), deviceId, salt.bytes, currentTenant().timeZone);
  }

  private fullLook(eventId: string): Promise<PackLook> {
    const name = `${currentTenant().id} ${eventId}`;
    return this.fullLooks.read(name, () => this.turns.run(() => this.look(eventId, null)));
  }

  private async look(eventId: string, since: string | null): Promise<PackLook> {
    const { inner, outer } = this.salts.of(eventId);
    const [row] = await this.db.statement<PackRow & Record<string, unknown>>(this.statement, [eventId, since, inner, outer]);
    if (!row) throw eventProblem('event.unknown');
    return new PackLook(row, JSON.stringify(await this.signingKeys.jwks()), since);
  }

  private sharedText(look: PackLook, eventId: string, names: boolean, salt: PackSalt): Promise<string> {
    const drawn = names ? this.drawn.sealed : this.drawn.plain;
    const known = drawn.get(look);
    if (known) return known;
    const { timeZone } = currentTenant();
    const text = names
      ? this.names.of(eventId, look.since, salt).then((sealed) => drawShared(look, salt.bytes, timeZone, sealed))
      : Promise.resolve(drawShared(look, salt.bytes, timeZone, undefined));
    drawn.set(look, text);
    text.catch(() => drawn.delete(look));
    return text;
  }
}

/** Stands for all that a device with this list knows, beside what later transactions write. */
function markOf(look: PackLook, since: bigint, { mine, ledger }: OwnParts): string {
  return shortMark(8, look.toldSince(since), mine, ledger);
}
