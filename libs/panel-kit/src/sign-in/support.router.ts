import { bodyLimits } from '#http';
import type { PanelUser, SupportSession } from '#tenancy';
import express, { Router } from 'express';
import type { Request, Response } from 'express';
import type { PanelAssets } from '../request/panel-assets.js';
import { PANEL_PATH } from '../request/panel-path.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { plainPage } from './plain-page.js';
import type { PlainPage } from './plain-page.js';
import { beginSession } from './begin-session.js';
import { enterPage, spentPage } from './support.page.js';

/** Callbacks for support visits. All run inside the request's tenant. */
export interface SupportOptions {
  readonly minutes: number;
  readonly enter: (token: string) => Promise<{ user: PanelUser; support: SupportSession } | undefined>;
  readonly leave: (visitId: string) => Promise<void>;
  readonly record: (
    visitId: string,
    act: { kind: 'looked' | 'changed'; resource: string; record: string; action: string; fields: string[] },
  ) => Promise<void>;
}

const isToken = (text: unknown): text is string => typeof text === 'string' && /^[\w-]{43}$/.test(text);

/**
 * Start of a support visit: a confirmation page, and a POST that uses up its token. Must run after the session and the same-origin check.
 */
export function supportRouter(assets: PanelAssets, { enter, minutes }: SupportOptions): Router {
  const send = (response: Response, status: number, page: PlainPage): void => {
    response
      .status(status)
      .type('html')
      .send(plainPage(page, currentPanelRequest(), assets));
  };
  const router = Router();
  router.get('/support', (request: Request, response) => {
    const { language, place } = currentPanelRequest();
    const { token } = request.query;
    if (isToken(token)) send(response, 200, enterPage(language, { place, token, minutes, action: `${PANEL_PATH}/support` }));
    else send(response, 410, spentPage(language));
  });
  const spend = async (request: Request, response: Response): Promise<void> => {
    const { token } = (request.body ?? {}) as Record<string, unknown>;
    const entered = isToken(token) ? await enter(token) : undefined;
    if (!entered) {
      send(response, 410, spentPage(currentPanelRequest().language));
      return;
    }
    // A new session signs the previous user out: two people must not share a session.
    await beginSession(request, entered.user, entered.support);
    response.redirect(303, PANEL_PATH);
  };
  router.post('/support', express.urlencoded({ extended: false, inflate: false, limit: '1kb' }), bodyLimits, (request, response) =>
    spend(request, response),
  );
  return router;
}
