import type { Request } from 'express';

type Callback = (error?: unknown) => void;

const done = (work: (callback: Callback) => void): Promise<void> =>
  new Promise((resolve, reject) => work((error) => (error ? reject(error) : resolve())));

/** Changes the session id at sign-in, against session fixation. */
export const regenerateSession = (request: Request): Promise<void> => done((callback) => request.session.regenerate(callback));

export const saveSession = (request: Request): Promise<void> => done((callback) => request.session.save(callback));

export const destroySession = (request: Request): Promise<void> => done((callback) => request.session.destroy(callback));
