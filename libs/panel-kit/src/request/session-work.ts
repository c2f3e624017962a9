import type { PanelUser, SupportSession } from '#tenancy';
import type { Request } from 'express';

type Callback = (error?: unknown) => void;

const done = (work: (callback: Callback) => void): Promise<void> =>
  new Promise((resolve, reject) => work((error) => (error ? reject(error) : resolve())));

/**
 * Begins the session of a user, with a new id: one that was planted before the sign-in is worth nothing after it, and two people never
 * share a session.
 */
export async function beginSession(request: Request, user: PanelUser, support?: SupportSession): Promise<void> {
  await done((callback) => request.session.regenerate(callback));
  request.session.adminUser = user;
  if (support) request.session.support = support;
  request.session.client = { address: request.ip ?? null, userAgent: request.get('User-Agent')?.slice(0, 300) ?? null };
  await done((callback) => request.session.save(callback));
}

export const destroySession = (request: Request): Promise<void> => done((callback) => request.session.destroy(callback));
