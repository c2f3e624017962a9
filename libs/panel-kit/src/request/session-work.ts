import { databaseNow } from '#kernel';
import { SessionReplaced, sessionKey } from '#tenancy';
import type { Request } from 'express';

type Callback = (error?: unknown) => void;

const done = (work: (callback: Callback) => void): Promise<void> =>
  new Promise((resolve, reject) => work((error) => (error ? reject(error) : resolve())));

/** Changes the session id at sign-in, against session fixation. */
export const regenerateSession = (request: Request): Promise<void> => done((callback) => request.session.regenerate(callback));

/**
 * Notes that the person proved again to be the one, and gives the session a new id, so that a stolen one gains nothing by it. The session
 * keeps the rest, and its end. When another proof did so at the same moment, the browser keeps the cookie of that one.
 */
export async function renewSession(request: Request): Promise<void> {
  const { cookie: _cookie, ...kept } = request.session;
  const replaces = sessionKey(request.sessionID).toString('base64');
  request.sessionStore.generate(request);
  Object.assign(request.session, kept, { replaces, provenAt: databaseNow().getTime() });
  try {
    await saveSession(request);
  } catch (error) {
    if (!(error instanceof SessionReplaced)) throw error;
    // Without a session in the request, no cookie is set.
    Reflect.deleteProperty(request, 'session');
  }
}

export const saveSession = (request: Request): Promise<void> => done((callback) => request.session.save(callback));

export const destroySession = (request: Request): Promise<void> => done((callback) => request.session.destroy(callback));
