import { Inject, Injectable } from '@nestjs/common';
import { serverBusy, SETTINGS, SharedReading, TenantCache, type Settings } from '#kernel';
import { TenantDb, type PreparedStatement } from '#tenancy';
import { limits } from '../limits.js';
import { boardStatement } from './board.statement.js';
import { toDoorBoard, type BoardRow, type DoorBoard } from './door-board.js';

const nothing = '';

/** The live page of the door. Open pages of one event share a reading a second. */
@Injectable()
export class DoorBoardService {
  /** As JSON; empty: there is no such event. */
  private readonly boards = new SharedReading(
    { ...limits.boards.turns, refuse: serverBusy },
    new TenantCache<string>(limits.keptBoards.kept),
  );
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
    const text = await this.boards.get(eventId, () => this.read(eventId));
    return text === nothing ? undefined : (JSON.parse(text) as DoorBoard);
  }

  private async read(eventId: string): Promise<string> {
    const [row] = await this.db.statement<BoardRow>(this.statement, [eventId]);
    return row ? JSON.stringify(toDoorBoard(row)) : nothing;
  }
}
