import { bodyLimits } from '#http';
import { isDatabaseUnavailable, Problem, RefusedInput, type WaitingClient } from '#kernel';
import type { Acceptance, NewPerson, SignInResult } from '#tenancy';
import { Router } from 'express';
import type { Request, Response } from 'express';
import type { PanelAssets } from '../request/panel-assets.js';
import { PANEL_PATH } from '../request/panel-path.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { admit, type FirstSteps } from '../sign-in/begin-session.js';
import { plainPage, type PlainPage } from '../sign-in/plain-page.js';
import { readSignIn } from '../sign-in/sign-in-limit.js';
import { codeAddress } from '../sign-in/sign-in.router.js';
import { invitationClosedPage, invitationFaults, invitationOverPage, invitationPage, type ShownInvitation } from './invitation.page.js';

/** Callbacks for invitations. All run inside the request's tenant; those that accept throw RefusedInput and UnavailableError. */
export interface InvitationOptions {
  /** The invitation with this token; undefined: its link does not work (any more). */
  readonly open: (token: string) => Promise<ShownInvitation | undefined>;
  /** Accepts with the password of the account that has the invited address. */
  readonly withPassword: (token: string, password: string, connection: WaitingClient) => Promise<Acceptance>;
  /** Accepts as the person who is signed in. */
  readonly signedIn: (token: string, userId: string) => Promise<Acceptance>;
  /** Makes an account for the invited address, and accepts. */
  readonly asNewPerson: (token: string, person: NewPerson, client: string | undefined) => Promise<Acceptance>;
  /** Signs in who has accepted. */
  readonly signIn: (userId: string) => Promise<SignInResult>;
  /** Path of the page that opens then. @param ofOperator the operator invited */
  readonly start: (ofOperator: boolean) => Promise<string>;
}

/** The page behind the link of an invitation. It needs no script, and opening it, as previews of links do, changes nothing. */
export function invitationRouter(assets: PanelAssets, steps: FirstSteps, options: InvitationOptions): Router {
  const pages = new InvitationPages(assets, steps, options);
  const router = Router();
  router.get('/invitation/:token', (request, response) => pages.show(request, response, 200));
  router.post('/invitation/:token', readSignIn, bodyLimits, (request: Request, response: Response) => pages.accept(request, response));
  return router;
}

class InvitationPages {
  constructor(
    private readonly assets: PanelAssets,
    private readonly steps: FirstSteps,
    private readonly options: InvitationOptions,
  ) {}

  async show(request: Request, response: Response, status: number, faults: Readonly<Record<string, string>> = {}): Promise<void> {
    const { language, place, user } = currentPanelRequest();
    const invitation = await this.options.open(tokenOf(request));
    if (!invitation) return this.send(response, 410, invitationOverPage(language, 'over'));
    const typed = textIn(request, 'name');
    this.send(response, status, invitationPage(language, { invitation, place, user, typed, faults }));
  }

  async accept(request: Request, response: Response): Promise<void> {
    const { language, readOnly, banner = '' } = currentPanelRequest();
    // The check of the place's state runs for people who are signed in.
    if (readOnly) return this.send(response, new Problem('tenant.archived').status, invitationClosedPage(language, banner));
    try {
      const invitation = await this.options.open(tokenOf(request));
      const accepted = invitation ? await this.accepted(request, response, invitation) : ({ kind: 'over' } as const);
      // The invitation is for somebody else than the person who is signed in: the page says so.
      if (!accepted) return await this.show(request, response, 403);
      if (accepted.kind === 'over') return this.send(response, 410, invitationOverPage(language, 'over'));
      if (accepted.kind === 'again') return response.redirect(303, request.originalUrl);
      if (accepted.kind === 'wrong') {
        const { retryAfterSeconds } = accepted.guess;
        if (retryAfterSeconds > 0) response.set('Retry-After', String(retryAfterSeconds));
        return await this.show(request, response, retryAfterSeconds > 0 ? 429 : 403, {
          password: invitationFaults(language).password(retryAfterSeconds),
        });
      }
      return await this.enter(request, response, accepted.userId, invitation?.inviter === null);
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        response.set('Retry-After', '5');
        return this.show(request, response, 503, { password: invitationFaults(language).busy });
      }
      if (!(error instanceof RefusedInput)) throw error;
      const { field, message } = error;
      if (field === 'name' || field === 'password') return this.show(request, response, 400, { [field]: message });
      // Who invited may no longer give the right, or the person has one.
      return this.send(response, 409, invitationOverPage(language, field === 'email' ? 'here' : 'invalid'));
    }
  }

  private async accepted(request: Request, response: Response, invitation: ShownInvitation): Promise<Acceptance | undefined> {
    const { language, user, support } = currentPanelRequest();
    const token = tokenOf(request);
    if (user) return user.id === invitation.userId && !support ? this.options.signedIn(token, user.id) : undefined;
    const password = textIn(request, 'password');
    if (invitation.userId !== null) return this.options.withPassword(token, password, response);
    return this.options.asNewPerson(token, { name: textIn(request, 'name'), password, language }, request.ip);
  }

  private async enter(request: Request, response: Response, userId: string, ofOperator: boolean): Promise<void> {
    const start = await this.options.start(ofOperator);
    if (currentPanelRequest().user) return response.redirect(303, start);
    const result = await this.options.signIn(userId);
    if (result.ok) await admit(request, response, result);
    else if (result.reason === 'code') this.steps.keep(request, response, result.step);
    response.redirect(303, result.ok ? start : result.reason === 'code' ? codeAddress(start) : `${PANEL_PATH}/login`);
  }

  private send(response: Response, status: number, page: PlainPage): void {
    response
      .status(status)
      .type('html')
      .send(plainPage(page, currentPanelRequest(), this.assets));
  }
}

const tokenOf = ({ params: { token } }: Request): string => (typeof token === 'string' ? token : '');

function textIn({ body }: Request, name: string): string {
  const value = ((body ?? {}) as Record<string, unknown>)[name];
  return typeof value === 'string' ? value.slice(0, 1000) : '';
}
