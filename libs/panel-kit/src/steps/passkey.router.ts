import { bodyLimits } from '#http';
import type { FirstStep, PasskeyAnswer, PasskeyQuestion, PasskeySite, SignInResult } from '#tenancy';
import { Router } from 'express';
import type { Request, Response } from 'express';
import { PANEL_PATH } from '../request/panel-path.js';
import { admit, type FirstSteps } from '../sign-in/begin-session.js';
import { browserMarkOf } from '../sign-in/browser-mark.js';
import { askForPasskey, passkeyAnswer, passkeySite } from '../passkeys/passkey-site.js';
import { readSignIn } from '../sign-in/sign-in-limit.js';
import { pathAfterSignIn } from '../sign-in/sign-in.router.js';

/** Sign-in with a passkey, after the password (`step`) or instead of it. */
export interface PasskeyOptions {
  readonly ask: (site: PasskeySite, step?: FirstStep) => Promise<PasskeyQuestion<object>>;
  readonly complete: (answer: PasskeyAnswer, browserMark: string | undefined, step?: FirstStep) => Promise<SignInResult>;
  /** How somebody can complete a sign-in on a host. */
  readonly waysOf: (step: FirstStep, host: string) => Promise<{ readonly app: boolean; readonly passkey: boolean }>;
}

/** A page that says that a passkey was refused. */
interface Refusing {
  refusePasskey(request: Request, response: Response): void | Promise<void>;
}

/**
 * Sign-in with a passkey. GET has what the browser needs, the same for everybody who has typed no password; POST brings its answer.
 */
export function passkeyRouter(steps: FirstSteps, options: PasskeyOptions, signIn: Refusing, code: Refusing): Router {
  const ask = async (request: Request, response: Response, step?: FirstStep): Promise<void> => {
    const site = passkeySite(request);
    if (site) return askForPasskey(request, response, await options.ask(site, step));
    response.status(404).json({});
  };
  const complete = async (request: Request, response: Response, page: Refusing, step?: FirstStep): Promise<void> => {
    const { credential }: Record<string, unknown> = request.body ?? {};
    const answer = passkeyAnswer(request, response, credential);
    const result = answer && (await options.complete(answer, browserMarkOf(request), step));
    if (!result?.ok) return page.refusePasskey(request, response);
    await admit(request, response, result);
    response.redirect(303, pathAfterSignIn(request.query['next']));
  };
  const router = Router();
  router.get('/login/passkey', (request, response) => ask(request, response));
  router.post('/login/passkey', readSignIn, bodyLimits, (request, response) => complete(request, response, signIn));
  router.get('/login/code/passkey', (request, response) => {
    const step = steps.of(request);
    return step ? ask(request, response, step) : void response.status(401).json({ login: `${PANEL_PATH}/login` });
  });
  router.post('/login/code/passkey', readSignIn, bodyLimits, (request, response) => {
    const step = steps.of(request);
    return step ? complete(request, response, code, step) : code.refusePasskey(request, response);
  });
  return router;
}
