import type { Request } from 'express';

type Told = (error?: unknown) => void;

const done = (work: (told: Told) => void): Promise<void> =>
  new Promise((resolve, reject) => work((error) => (error ? reject(error) : resolve())));

/** A new session id, so that one planted before is worth nothing afterwards. */
export const regenerateSession = (request: Request): Promise<void> => done((told) => request.session.regenerate(told));

export const saveSession = (request: Request): Promise<void> => done((told) => request.session.save(told));

export const destroySession = (request: Request): Promise<void> => done((told) => request.session.destroy(told));
