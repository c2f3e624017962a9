import { createHmac, randomBytes } from 'node:crypto';
import type { Settings } from '#kernel';
import connectPgSimple from 'connect-pg-simple';
import type { RequestHandler } from 'express';
import session, { type SessionData, type Store } from 'express-session';
import type { PanelUser } from './sign-in.service.js';
import { currentTenant } from './tenant-context.js';
import type { TenantDb } from './tenant-db.js';

declare module 'express-session' {
  interface SessionData {
    /** Who is signed in; the name is the one AdminJS reads. */
    adminUser?: PanelUser;
  }
}

const PgStore = connectPgSimple(session);

/**
 * Sessions of the panel: kept in PostgreSQL, bound to the tenant by the session id's first half. A cookie carried to another tenant's
 * host finds nothing there, and the session it belongs to is not touched.
 */
class TenantSessionStore extends PgStore {
  override get(sid: string, callback: (error: unknown, session?: SessionData | null) => void): void {
    if (sid.startsWith(`${currentTenant().id}.`)) super.get(sid, callback);
    else callback(null, null);
  }
}

export interface PanelSessions {
  readonly middleware: RequestHandler;
  readonly store: Store;
  close(): void;
}

/** Runs behind the tenant middleware. On https the cookie carries the `__Host-` prefix, which pins it to this host. */
export function panelSessions(db: TenantDb, settings: Settings, serverSecret: string): PanelSessions {
  const secure = settings.publicScheme === 'https';
  const store = new TenantSessionStore({
    pool: db.pool,
    schemaName: 'shared',
    tableName: 'session',
    pruneSessionInterval: 15 * 60,
    disableTouch: true,
    errorLog: () => undefined,
  });
  const middleware = session({
    name: secure ? '__Host-guichet' : 'guichet',
    secret: createHmac('sha256', serverSecret).update('panel session').digest('hex'),
    genid: () => `${currentTenant().id}.${randomBytes(24).toString('base64url')}`,
    resave: false,
    saveUninitialized: false,
    store,
    proxy: settings.trustedProxies.length > 0,
    cookie: { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: settings.sessionMinutes * 60_000 },
  });
  return { middleware, store, close: () => store.close() };
}
