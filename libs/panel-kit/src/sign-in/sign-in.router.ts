import { bodyLimits } from '#http';
import { isDatabaseUnavailable } from '#kernel';
import type { SignInAttempt, SignInResult } from '#tenancy';
import { Router } from 'express';
import type { Request, Response } from 'express';
import type { PanelAssets } from '../request/panel-assets.js';
import { PANEL_PATH } from '../request/panel-path.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { plainWords } from './plain-page.words.js';
import { plainPage } from './plain-page.js';
import type { PlainPage } from './plain-page.js';
import { admit, type FirstSteps } from './begin-session.js';
import { browserMarkOf } from './browser-mark.js';
import { passkeySite } from '../passkeys/passkey-site.js';
import { addressOf, readSignIn } from './sign-in-limit.js';
import { destroySession } from '../request/session-work.js';
import { signInPage, signOutPage } from './sign-in.page.js';
import type { SignInNotice } from './sign-in.page.js';

/** Checks an address and a password inside the request's tenant; counts failures and locks. */
export type Authenticate = (attempt: SignInAttempt) => Promise<SignInResult>;

const LOGIN = `${PANEL_PATH}/login`;

/** A path of the panel to go to after signing in; anything else leads to the start page. */
export function pathAfterSignIn(next: unknown): string {
  if (typeof next !== 'string' || !/^\/admin(\/[\w\-./~%]*)?(\?[\w\-.~%=&+]*)?$/.test(next)) return PANEL_PATH;
  return next.startsWith(LOGIN) || next.startsWith(`${PANEL_PATH}/logout`) || next.includes('//') ? PANEL_PATH : next;
}

/** The sign-in page for visitors; the sign-in then returns to `from`. */
export function loginAddress(from: string): string {
  const next = pathAfterSignIn(from);
  return next === PANEL_PATH ? LOGIN : `${LOGIN}?next=${encodeURIComponent(next)}`;
}

/** The page that asks for the code after the password. */
export function codeAddress(from: unknown): string {
  const next = pathAfterSignIn(from);
  return next === PANEL_PATH ? `${LOGIN}/code` : `${LOGIN}/code?next=${encodeURIComponent(next)}`;
}

const STATUS = {
  none: 200,
  'signed-out': 200,
  expired: 200,
  missing: 400,
  invalid: 401,
  passkey: 401,
  locked: 429,
  busy: 503,
} as const;

/** Sign-in and sign-out, with our own pages, which need no script. Must run after the session and the same-origin check. */
export class SignInRouter {
  constructor(
    private readonly assets: PanelAssets,
    private readonly authenticate: Authenticate,
    private readonly steps: FirstSteps,
    /** Called when the session of a support visit ends. */
    private readonly leaveVisit: (visitId: string) => Promise<void>,
  ) {}

  router(): Router {
    const router = Router();
    router.get('/login', (request, response) => this.show(request, response));
    router.post('/login', readSignIn, bodyLimits, (request, response) => this.signIn(request, response));
    router.get('/logout', (_request, response) => this.askSignOut(response));
    router.post('/logout', (request, response) => this.signOut(request, response));
    return router;
  }

  refusePasskey(request: Request, response: Response): void {
    this.form(request, response, '', { kind: 'passkey' });
  }

  private show(request: Request, response: Response): void {
    if (currentPanelRequest().user) {
      response.redirect(303, pathAfterSignIn(request.query['next']));
      return;
    }
    const kind = 'out' in request.query ? 'signed-out' : 'next' in request.query ? 'expired' : 'none';
    this.form(request, response, '', { kind });
  }

  private async signIn(request: Request, response: Response): Promise<void> {
    const { password }: Record<string, unknown> = request.body ?? {};
    const address = addressOf(request);
    if (address === '' || typeof password !== 'string' || password === '' || password.length > 1000) {
      this.form(request, response, address, { kind: 'missing' });
      return;
    }
    const attempt = {
      email: address,
      password,
      client: request.ip,
      browserMark: browserMarkOf(request),
      connection: response,
    };
    const result = await this.authenticate(attempt).catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error;
      return undefined;
    });
    if (!result) {
      this.form(request, response, address, { kind: 'busy', retryAfterSeconds: 5 });
      return;
    }
    if (!result.ok) {
      const { reason } = result;
      if (reason === 'code') {
        this.steps.keep(request, response, result.step);
        response.redirect(303, codeAddress(request.query['next']));
        return;
      }
      const notice: SignInNotice =
        reason === 'locked' ? { kind: reason, retryAfterSeconds: result.retryAfterSeconds } : { kind: 'invalid' };
      this.form(request, response, address, notice);
      return;
    }
    await admit(request, response, result);
    response.redirect(303, pathAfterSignIn(request.query['next']));
  }

  private askSignOut(response: Response): void {
    const { user, language } = currentPanelRequest();
    if (!user) {
      response.redirect(303, LOGIN);
      return;
    }
    const words = plainWords(language);
    const name = user.name || user.email;
    this.send(response, signOutPage(words, { name, action: `${PANEL_PATH}/logout`, back: PANEL_PATH }));
  }

  private async signOut(request: Request, response: Response): Promise<void> {
    const { support } = request.session;
    if (support) await this.leaveVisit(support.visitId);
    await destroySession(request);
    response.redirect(303, `${LOGIN}?out`);
  }

  private form(request: Request, response: Response, email: string, notice: SignInNotice): void {
    const { language, place } = currentPanelRequest();
    const next = pathAfterSignIn(request.query['next']);
    const action = next === PANEL_PATH ? LOGIN : `${LOGIN}?next=${encodeURIComponent(next)}`;
    if ('retryAfterSeconds' in notice) response.set('Retry-After', String(notice.retryAfterSeconds));
    response.status(STATUS[notice.kind]);
    const query = action.slice(LOGIN.length);
    const view = {
      place,
      action,
      email,
      notice,
      forgotten: `${PANEL_PATH}/forgotten`,
      query,
      hasPasskeys: passkeySite(request) !== undefined,
    };
    this.send(response, signInPage(plainWords(language), view));
  }

  private send(response: Response, page: PlainPage): void {
    response.type('html').send(plainPage(page, currentPanelRequest(), this.assets));
  }
}
