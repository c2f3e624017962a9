import { Inject, Injectable } from '@nestjs/common';
import { serverBusy, SETTINGS, SharedTurns, TenantCache, type Settings } from '#kernel';
import { TenantDb, type PreparedStatement } from '#tenancy';
import { boardStatement } from './board.statement.js';
import { toDoorBoard, type BoardRow, type DoorBoard } from './door-board.js';

/** How long pages share one reading. */
const keptMs = 1000;
/** Characters. */
const kept = { total: 8_000_000, each: 1_000_000, ttlMs: keptMs };
const limits = { total: 4, each: 2, waiting: 200, waitMs: 5000, refuse: serverBusy };
const nothing = '';

/** The live page of the door. Open pages of one event share a reading a second. */
@Injectable()
export class DoorBoardService {
  private readonly turns = new SharedTurns(limits);
  /** As JSON; empty: there is no such event. */
  private readonly boards = new TenantCache<string>(kept);
  private readonly statement: PreparedStatement;

  constructor(
    private readonly db: TenantDb,
    @Inject(SETTINGS) settings: Settings,
  ) {
    this.statement = boardStatement(settings);
  }

  /**
   * Numbers of at most a second ago. @returns undefined when there is no such event
   * @throws Problem 503 `server.busy`
   */
  async of(eventId: string): Promise<DoorBoard | undefined> {
    const text = this.boards.get(eventId) ?? (await this.turns.run(eventId, () => this.read(eventId)));
    return text === nothing ? undefined : (JSON.parse(text) as DoorBoard);
  }

  private async read(eventId: string): Promise<string> {
    const [row] = await this.db.statement<BoardRow>(this.statement, [eventId]);
    const text = row ? JSON.stringify(toDoorBoard(row)) : nothing;
    this.boards.set(eventId, text);
    return text;
  }
}
