import type { RequestHandler, Response } from 'express';

function refuse(response: Response, allowed: string): void {
  response
    .status(405)
    .set('Allow', allowed)
    .json({ notice: { message: 'error404Resource', type: 'error' }, records: [], record: null });
}

/** AdminJS's own actions that have no page: they require POST. */
const changes = new Set(['new', 'delete', 'bulkDelete']);

/**
 * Allows only GET and POST below the panel's API. Express serves HEAD with the route of GET, and AdminJS treats every method except `get`
 * as a change, while the same-origin check lets HEAD pass as a safe method.
 */
export const getAndPostOnly: RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'POST') next();
  else refuse(response, 'GET, POST');
};

/** Requires POST for actions (path parameter `action`) that only change data. */
export const postToChange: RequestHandler = (request, response, next) => {
  if (request.method === 'POST' || !changes.has(String(request.params['action']))) next();
  else refuse(response, 'POST');
};
