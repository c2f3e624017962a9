import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { ScheduledTasks } from '../../database/scheduled/scheduled-tasks.js';
import { currentTenant } from '../../database/context/tenant-context.js';
import { TenantDb } from '../../database/transactions/tenant-db.js';
import type { Tx } from '../../database/transactions/tx.js';
import { sessionKey } from './session-key.js';

/** The users' panel sessions. */
@Injectable()
export class SessionsService implements OnModuleInit {
  constructor(
    private readonly db: TenantDb,
    private readonly tasks: ScheduledTasks,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.tasks.add('forget sign-ins that are over', () => this.prune());
  }

  /** Ends one session of a user. @returns false when the user has no such session */
  async end(userId: string, sessionId: string): Promise<boolean> {
    const ended = await this.db.onEachNode(() => this.db.sharedStatement(endStatement, [userId, sessionId]));
    return ended.flat().length > 0;
  }

  /** Ends the sessions of a user but one. A running request of an ended session cannot save it again. */
  async endOthers(userId: string, sid: string): Promise<void> {
    await this.db.onEachNode(() => this.db.sharedStatement(endOthersStatement, [userId, sessionKey(sid)]));
  }

  /** Deletes expired sessions of the current tenant. Root also deletes failed attempts, because they belong to no tenant. */
  private async prune(): Promise<void> {
    const { id, category } = currentTenant();
    await this.db.sharedStatement(pruneStatement, [id, this.settings.sessionIdleMinutes]);
    if (category === 'R') await this.db.onEachNode(() => this.db.sharedStatement(pruneAttemptsStatement, []));
  }
}

/** Ends all sessions of a user, in the transaction that revokes a right or sets a password. */
export async function endSessionsOf(db: TenantDb, tx: Tx, userId: string): Promise<void> {
  const [[ended]] = await tx.query<[{ version: number }[], number]>(endAllSql, [userId]);
  // By their version, sessions are over on every node.
  if (ended) await db.everywhere(tx, (there) => there.query(forgetEndedSql, [userId, ended.version]));
}

const endAllSql = `update shared.user_account set session_version = session_version + 1 where id = $1
  returning session_version as version`;

/** Not sessions that begin on other nodes before it runs there. */
const forgetEndedSql = 'delete from shared.panel_session where user_id = $1 and version < $2';

const endStatement = {
  name: 'panel-session-end',
  text: 'delete from shared.panel_session where user_id = $1 and id = $2 returning id',
};

const endOthersStatement = {
  name: 'panel-session-end-others',
  text: 'delete from shared.panel_session where user_id = $1 and key <> $2',
};

const pruneStatement = {
  name: 'panel-session-prune',
  text: `delete from shared.panel_session where tenant_id = $1
    and (expires_at <= (select now()) or seen_at <= (select now() - make_interval(mins => $2)))`,
};

const pruneAttemptsStatement = {
  name: 'sign-in-attempt-prune',
  text: `delete from shared.sign_in_attempt where last_failure_at < (select now() - interval '1 day')
    and (locked_until is null or locked_until < (select now()))`,
};
