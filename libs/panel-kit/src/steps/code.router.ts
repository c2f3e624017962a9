import { bodyLimits } from '#http';
import type { FirstStep, SignInResult } from '#tenancy';
import { Router } from 'express';
import type { Request, Response } from 'express';
import type { PanelAssets } from '../request/panel-assets.js';
import { PANEL_PATH } from '../request/panel-path.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { admit, FirstSteps } from '../sign-in/begin-session.js';
import { browserMarkOf } from '../sign-in/browser-mark.js';
import { plainPage } from '../sign-in/plain-page.js';
import { readSignIn } from '../sign-in/sign-in-limit.js';
import { codeAddress, pathAfterSignIn } from '../sign-in/sign-in.router.js';
import { codePage } from './steps.page.js';

/** Completes a sign-in with a code of the second factor. */
export type CompleteWithCode = (step: FirstStep, code: string, browserMark: string | undefined) => Promise<SignInResult>;

/** The second page of the sign-in, for people with a second factor. Needs no script. Nobody is signed in before it. */
export function codeRouter(assets: PanelAssets, steps: FirstSteps, complete: CompleteWithCode): Router {
  const show = (request: Request, response: Response, status: number, fault?: { wrong: true } | { seconds: number }): void => {
    const { language, place } = currentPanelRequest();
    if (fault && 'seconds' in fault) response.set('Retry-After', String(fault.seconds));
    const page = codePage(language, { place, action: codeAddress(request.query['next']), fault });
    response
      .status(status)
      .type('html')
      .send(plainPage(page, currentPanelRequest(), assets));
  };
  const over = (request: Request, response: Response): void => {
    FirstSteps.forget(request, response);
    response.redirect(303, `${PANEL_PATH}/login?next=${encodeURIComponent(pathAfterSignIn(request.query['next']))}`);
  };
  const use = async (request: Request, response: Response): Promise<void> => {
    const step = steps.of(request);
    if (!step) return over(request, response);
    const { code }: Record<string, unknown> = request.body ?? {};
    if (typeof code !== 'string' || code.trim() === '' || code.length > 100) return show(request, response, 400, { wrong: true });
    const result = await complete(step, code, browserMarkOf(request));
    if (result.ok) {
      await admit(request, response, result);
      return response.redirect(303, pathAfterSignIn(request.query['next']));
    }
    if (result.reason === 'locked') return show(request, response, 429, { seconds: result.retryAfterSeconds });
    if (result.reason === 'invalid') return show(request, response, 401, { wrong: true });
    return over(request, response);
  };
  const router = Router();
  router.get('/login/code', (request, response) => (steps.of(request) ? show(request, response, 200) : over(request, response)));
  router.post('/login/code', readSignIn, bodyLimits, (request, response) => use(request, response));
  return router;
}
