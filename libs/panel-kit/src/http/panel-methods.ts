import type { RequestHandler, Response } from 'express';

function refuse(response: Response, allowed: string): void {
  response
    .status(405)
    .set('Allow', allowed)
    .json({ notice: { message: 'error404Resource', type: 'error' }, records: [], record: null });
}

/** AdminJS's own actions that have nothing to show: without POST they do not exist. */
const changes = new Set(['new', 'delete', 'bulkDelete']);

/**
 * Allows GET and POST alone below the panel's API. Express serves HEAD with the route of GET, and AdminJS takes every method but `get`
 * for a change, while the same-origin check lets HEAD pass as a safe method.
 */
export const getAndPostOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'POST') next();
  else refuse(response, 'GET, POST');
};

/** Requires POST for an action (path parameter `action`) that only changes. */
export const postToChange: RequestHandler = (request, response, next) => {
  if (request.method === 'POST' || !changes.has(String(request.params['action']))) next();
  else refuse(response, 'POST');
};
