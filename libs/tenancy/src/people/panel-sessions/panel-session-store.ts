import { Kept, type Settings } from '#kernel';
import session, { type SessionData } from 'express-session';
import { currentTenant } from '../../database/context/tenant-context.js';
import { limits } from '../../limits.js';
import { sessionKey } from '../sessions/session-key.js';
import type { TenantDb } from '../../database/transactions/tenant-db.js';

type Done = (error?: unknown) => void;

/** Minimum interval between two updates of `seen_at`, so that not every request writes. */
const seenEverySeconds = 60;

/** A session has another id meanwhile, or was ended: nothing was stored. */
export class SessionReplaced extends Error {}

/**
 * Stores panel sessions in PostgreSQL and uses its clock. A session ends at its absolute end, after the idle time without a request, or
 * when the user's session version increases. It is inserted once, after the sign-in. Later requests only update an existing row, so that a
 * slow request cannot restore a deleted session. (connect-pg-simple uses an upsert every time.)
 */
export class PanelSessionStore extends session.Store {
  /** New session ids of this process that are not stored yet. */
  private readonly newIds = new Kept<true>(limits.newSessions.kept);

  constructor(
    private readonly db: TenantDb,
    private readonly settings: Pick<Settings, 'sessionMinutes' | 'sessionIdleMinutes' | 'supportMinutes'>,
  ) {
    super();
  }

  /** Marks a session id as new, so that its first save inserts a row. */
  expect(sid: string): void {
    this.newIds.set(sid, true);
  }

  override get(sid: string, callback: (error: unknown, session?: SessionData | null) => void): void {
    // A session of another tenant is not found and stays unchanged.
    if (!sid.startsWith(`${currentTenant().id}.`)) return callback(null, null);
    const values = [sessionKey(sid), this.settings.sessionIdleMinutes];
    this.db.sharedStatement<{ data: SessionData }>(readStatement, values).then(
      ([row]) => callback(null, row?.data ?? null),
      (error: unknown) => callback(error),
    );
  }

  override set(sid: string, data: SessionData, callback?: Done): void {
    const { replaces, ...kept } = data;
    const { adminUser, client, support } = kept;
    const fresh = this.newIds.delete(sid);
    // Only sessions of signed-in users are stored.
    if (!adminUser) return callback?.();
    if (fresh && replaces !== undefined) {
      const before = Buffer.from(replaces, 'base64');
      const renewed = this.db.sharedStatement<{ key: Buffer }>(renewStatement, [before, sessionKey(sid), JSON.stringify(kept)]);
      return settle(
        renewed.then(([row]) => (row ? undefined : Promise.reject(new SessionReplaced()))),
        callback,
      );
    }
    const work = fresh
      ? this.db.sharedStatement(insertStatement, [
          sessionKey(sid),
          currentTenant().id,
          adminUser.id,
          adminUser.sessionVersion,
          JSON.stringify(kept),
          client?.address ?? null,
          client?.userAgent ?? null,
          support ? this.settings.supportMinutes : this.settings.sessionMinutes,
          support?.visitId ?? null,
        ])
      : this.db.sharedStatement(updateStatement, [sessionKey(sid), JSON.stringify(kept)]);
    settle(work, callback);
  }

  override destroy(sid: string, callback?: Done): void {
    settle(this.db.sharedStatement(deleteStatement, [sessionKey(sid)]), callback);
  }

  /** express-session calls this after each request that did not change the session. */
  override touch(sid: string, _data: SessionData, callback?: () => void): void {
    settle(this.db.sharedStatement(touchStatement, [sessionKey(sid)]), () => callback?.());
  }
}

function settle(work: Promise<unknown>, callback: Done | undefined): void {
  work.then(
    () => callback?.(),
    (error: unknown) => callback?.(error),
  );
}

const readStatement = {
  name: 'panel-session-read',
  text: `select s.data from shared.panel_session s join shared.user_account u on u.id = s.user_id
    where s.key = $1 and s.version = u.session_version and s.expires_at > now() and s.seen_at > now() - make_interval(mins => $2)`,
};

const insertStatement = {
  name: 'panel-session-insert',
  text: `insert into shared.panel_session (key, tenant_id, user_id, version, data, address, user_agent, expires_at, support_visit_id)
    values ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(mins => $8), $9) on conflict (key) do nothing`,
};

/** A session that was ended meanwhile stays ended. */
const renewStatement = {
  name: 'panel-session-renew',
  text: 'update shared.panel_session set key = $2, data = $3, seen_at = (select now()) where key = $1 returning key',
};

const updateStatement = {
  name: 'panel-session-update',
  text: 'update shared.panel_session set data = $2, seen_at = (select now()) where key = $1',
};

const touchStatement = {
  name: 'panel-session-touch',
  text: `update shared.panel_session set seen_at = (select now())
    where key = $1 and seen_at < (select now() - make_interval(secs => ${seenEverySeconds}))`,
};

const deleteStatement = { name: 'panel-session-delete', text: 'delete from shared.panel_session where key = $1' };
