import { bodyLimits } from '#http';
import type { FirstStep, SignInResult } from '#tenancy';
import { Router } from 'express';
import type { Request, Response } from 'express';
import type { PanelAssets } from '../request/panel-assets.js';
import { PANEL_PATH } from '../request/panel-path.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { admit, FirstSteps } from '../sign-in/begin-session.js';
import { browserMarkOf } from '../sign-in/browser-mark.js';
import { passkeySite } from '../passkeys/passkey-site.js';
import { plainPage } from '../sign-in/plain-page.js';
import { readSignIn } from '../sign-in/sign-in-limit.js';
import { codeAddress, pathAfterSignIn } from '../sign-in/sign-in.router.js';
import { codePage } from './code.page.js';
import type { PasskeyOptions } from './passkey.router.js';

/** Completes a sign-in with a code of the second factor. */
export type CompleteWithCode = (step: FirstStep, code: string, browserMark: string | undefined) => Promise<SignInResult>;

type Fault = Parameters<typeof codePage>[1]['fault'];

/** The second page of the sign-in, for people with a second factor. Needs no script but for passkeys. Nobody is signed in before it. */
export class CodePages {
  constructor(
    private readonly assets: PanelAssets,
    private readonly steps: FirstSteps,
    private readonly complete: CompleteWithCode,
    private readonly waysOf: PasskeyOptions['waysOf'],
  ) {}

  router(): Router {
    const router = Router();
    router.get('/login/code', (request, response) => this.show(request, response, 200));
    router.post('/login/code', readSignIn, bodyLimits, (request, response) => this.use(request, response));
    return router;
  }

  refusePasskey(request: Request, response: Response): Promise<void> {
    return this.show(request, response, 401, { passkey: true });
  }

  private async show(request: Request, response: Response, status: number, fault?: Fault): Promise<void> {
    const step = this.steps.of(request);
    if (!step) return this.over(request, response);
    const { language, place } = currentPanelRequest();
    if (fault && 'seconds' in fault) response.set('Retry-After', String(fault.seconds));
    const action = codeAddress(request.query['next']);
    const query = action.slice(codeAddress(undefined).length);
    const ways = await this.waysOf(step, passkeySite(request)?.host ?? '');
    response
      .status(status)
      .type('html')
      .send(plainPage(codePage(language, { place, action, query, fault, ways }), currentPanelRequest(), this.assets));
  }

  private over(request: Request, response: Response): void {
    FirstSteps.forget(request, response);
    response.redirect(303, `${PANEL_PATH}/login?next=${encodeURIComponent(pathAfterSignIn(request.query['next']))}`);
  }

  private async use(request: Request, response: Response): Promise<void> {
    const step = this.steps.of(request);
    if (!step) return this.over(request, response);
    const { code }: Record<string, unknown> = request.body ?? {};
    if (typeof code !== 'string' || code.trim() === '' || code.length > 100) return this.show(request, response, 400, { wrong: true });
    const result = await this.complete(step, code, browserMarkOf(request));
    if (result.ok) {
      await admit(request, response, result);
      return response.redirect(303, pathAfterSignIn(request.query['next']));
    }
    if (result.reason === 'locked') return this.show(request, response, 429, { seconds: result.retryAfterSeconds });
    if (result.reason === 'invalid') return this.show(request, response, 401, { wrong: true });
    return this.over(request, response);
  }
}
