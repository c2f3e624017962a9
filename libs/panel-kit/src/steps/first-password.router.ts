import { bodyLimits } from '#http';
import { isDatabaseUnavailable, RefusedInput } from '#kernel';
import type { SignInResult } from '#tenancy';
import { Router } from 'express';
import type { Request, Response } from 'express';
import type { PanelAssets } from '../request/panel-assets.js';
import { PANEL_PATH } from '../request/panel-path.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { admit } from '../sign-in/begin-session.js';
import { firstPasswordBusy, firstPasswordPage } from './first-password.page.js';
import { plainPage } from '../sign-in/plain-page.js';
import { readSignIn } from '../sign-in/sign-in-limit.js';

/** Callbacks for the link with which the administrator of a new tenant chooses a password. All run inside the request's tenant. */
export interface FirstPasswordOptions {
  /** @returns the administrator's address; undefined when the link sets no password here, or not any more */
  readonly emailOf: (id: string, mark: string) => Promise<string | undefined>;
  /**
   * Sets the password, once.
   * @returns undefined as `emailOf` @throws RefusedInput on password
   */
  readonly set: (link: { id: string; mark: string; password: string; client?: string | undefined }) => Promise<SignedIn | undefined>;
}

type Link = { id: string; mark: string };
type SignedIn = Extract<SignInResult, { ok: true }>;

const welcome = `${PANEL_PATH}/welcome`;

/** The first password of a new tenant, and the sign-in with it. Must run after the session and the same-origin check. */
export function firstPasswordRouter(assets: PanelAssets, { emailOf, set }: FirstPasswordOptions): Router {
  const show = (request: Request<Link>, response: Response, email: string, status: number, fault?: string): void => {
    const { language, place } = currentPanelRequest();
    const page = firstPasswordPage(language, { place, email, fault, action: PANEL_PATH + request.path });
    response
      .status(status)
      .type('html')
      .send(plainPage(page, currentPanelRequest(), assets));
  };
  const open = async (request: Request<Link>, response: Response): Promise<void> => {
    const { id, mark } = request.params;
    const email = await emailOf(id, mark);
    if (email === undefined) response.redirect(303, welcome);
    else show(request, response, email, 200);
  };
  const choose = async (request: Request<Link>, response: Response): Promise<void> => {
    const { id, mark } = request.params;
    const { password }: Record<string, unknown> = request.body ?? {};
    const email = await emailOf(id, mark);
    try {
      const chosen = typeof password === 'string' ? password : '';
      const entered = email === undefined ? undefined : await set({ id, mark, password: chosen, client: request.ip });
      if (entered) await admit(request, response, entered);
      response.redirect(303, welcome);
    } catch (error) {
      const isBusy = isDatabaseUnavailable(error);
      if (!isBusy && !(error instanceof RefusedInput)) throw error;
      if (isBusy) response.set('Retry-After', '5');
      const fault = error instanceof RefusedInput ? error.message : firstPasswordBusy(currentPanelRequest().language);
      show(request, response, email ?? '', isBusy ? 503 : 400, fault);
    }
  };
  const router = Router();
  router.get('/first-password/:id/:mark', (request, response) => open(request, response));
  router.post('/first-password/:id/:mark', readSignIn, bodyLimits, (request: Request<Link>, response) => choose(request, response));
  return router;
}
