import { bodyLimits } from '#http';
import type { GuessResult, ProofsService } from '#tenancy';
import { Router } from 'express';
import type { Request, Response } from 'express';
import type { PanelAssets } from '../request/panel-assets.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { renewSession } from '../request/session-work.js';
import { askForPasskey, passkeyAnswer, passkeySite } from '../passkeys/passkey-site.js';
import { plainPage } from '../sign-in/plain-page.js';
import { readSignIn } from '../sign-in/sign-in-limit.js';
import { pathAfterSignIn } from '../sign-in/sign-in.router.js';
import { proofPage } from './proof.page.js';
import { proofWords, type ProofFault } from './proof.words.js';

/** How people prove again to be the ones, and the checks of it. */
export type ProofOptions = Pick<ProofsService, 'waysOf' | 'check' | 'ask' | 'checkPasskey'>;

/**
 * Asks people who are signed in to prove again that they are the ones: on a page, or in a dialog of the panel, which gets and sends JSON.
 * Must run after the check of the session.
 */
export function proofRouter(assets: PanelAssets, proofs: ProofOptions): Router {
  const pages = new ProofPages(assets, proofs);
  const router = Router();
  router.get('/prove', (request, response) => pages.show(request, response, 200));
  router.post('/prove', readSignIn, bodyLimits, (request, response) => pages.check(request, response));
  router.get('/prove/passkey', (request, response) => pages.ask(request, response));
  router.post('/prove/passkey', readSignIn, bodyLimits, (request, response) => pages.checkPasskey(request, response));
  return router;
}

const wantsJson = ({ headers }: Request): boolean => headers.accept === 'application/json';

class ProofPages {
  constructor(
    private readonly assets: PanelAssets,
    private readonly proofs: ProofOptions,
  ) {}

  async show(request: Request, response: Response, status: number, fault?: ProofFault): Promise<void> {
    const { language, user } = currentPanelRequest();
    const ways = await this.proofs.waysOf(user!.id, passkeySite(request)?.host ?? '');
    if (fault && 'seconds' in fault) response.set('Retry-After', String(fault.seconds));
    response.status(status);
    if (wantsJson(request)) {
      response.json(proofWords(language, ways, fault));
      return;
    }
    const page = proofPage(language, { ways, fault, email: user!.email, next: pathAfterSignIn(request.query['next']) });
    response.type('html').send(plainPage(page, currentPanelRequest(), this.assets));
  }

  async check(request: Request, response: Response): Promise<void> {
    const { secret }: Record<string, unknown> = request.body ?? {};
    if (typeof secret !== 'string' || secret === '' || secret.length > 1000) return this.show(request, response, 400, { wrong: true });
    const result: GuessResult = await this.proofs.check(this.ownId(), secret, response);
    if (result.ok) return this.go(request, response);
    const { retryAfterSeconds: seconds } = result;
    return seconds > 0 ? this.show(request, response, 429, { seconds }) : this.show(request, response, 403, { wrong: true });
  }

  async ask(request: Request, response: Response): Promise<void> {
    const site = passkeySite(request);
    if (site) return askForPasskey(request, response, await this.proofs.ask(this.ownId(), site, request.sessionID));
    response.status(404).json({});
  }

  async checkPasskey(request: Request, response: Response): Promise<void> {
    const { credential }: Record<string, unknown> = request.body ?? {};
    const answer = passkeyAnswer(request, response, credential);
    const isRight = answer && (await this.proofs.checkPasskey(this.ownId(), answer, request.sessionID));
    return isRight ? this.go(request, response) : this.show(request, response, 403, { passkey: true });
  }

  private async go(request: Request, response: Response): Promise<void> {
    await renewSession(request);
    if (wantsJson(request)) response.json({ ok: true });
    else response.redirect(303, pathAfterSignIn(request.query['next']));
  }

  private ownId(): string {
    return currentPanelRequest().user!.id;
  }
}
