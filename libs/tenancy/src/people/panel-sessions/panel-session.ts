import { createHmac, randomBytes } from 'node:crypto';
import { cookieIn, hostCookie } from '#http';
import type { Settings } from '#kernel';
import type { Request, RequestHandler } from 'express';
import session from 'express-session';
import { currentTenant } from '../../database/context/tenant-context.js';
import type { TenantDb } from '../../database/transactions/tenant-db.js';
import type { SupportSession } from '../support/support-visits.service.js';
import { PanelSessionStore } from './panel-session-store.js';
import type { PanelUser } from '../sign-in/sign-in.service.js';

declare module 'express-session' {
  interface SessionData {
    /** The signed-in user. AdminJS requires this name. */
    adminUser?: PanelUser;
    /** The support visit; absent: a sign-in with a password. */
    support?: SupportSession;
    /** When the person last proved to be the one: signed in, or asked again. Milliseconds since 1970. */
    provenAt?: number;
    /** Hash of the id that this session had before, in base64, until it is saved. */
    replaces?: string;
    /** Client details for the user's list of sessions. */
    client?: { readonly address: string | null; readonly userAgent: string | null };
  }
}

export interface PanelSessions {
  readonly middleware: RequestHandler;
  readonly store: session.Store;
  /** The session id in a request's cookie, whose signature is not checked yet; undefined: there is none. */
  claimedId(request: Pick<Request, 'headers'>): string | undefined;
}

/** Must run after the tenant middleware. With https the cookie has the prefix `__Host-`, which binds it to this host. */
export function panelSessions(db: TenantDb, settings: Settings, serverSecret: string): PanelSessions {
  const secure = settings.publicScheme === 'https';
  const store = new PanelSessionStore(db, settings);
  const name = hostCookie('guichet', secure);
  const middleware = session({
    name,
    secret: createHmac('sha256', serverSecret).update('panel session').digest('hex'),
    genid: () => {
      const sid = `${currentTenant().id}.${randomBytes(24).toString('base64url')}`;
      store.expect(sid);
      return sid;
    },
    resave: false,
    saveUninitialized: false,
    store,
    proxy: settings.trustedProxies.length > 0,
    cookie: { httpOnly: true, sameSite: 'lax', secure, path: '/', maxAge: settings.sessionMinutes * 60_000 },
  });
  return { middleware, store, claimedId: ({ headers }) => sessionIdOf(headers.cookie, name) };
}

/** The id before the signature: `s:<id>.<signature>`, percent-encoded. */
function sessionIdOf(cookies: string | undefined, name: string): string | undefined {
  const [, id] = /^s(?::|%3A)([0-9a-z._-]{1,200})\.[^.]*$/i.exec(cookieIn(cookies, name)) ?? [];
  return id;
}
