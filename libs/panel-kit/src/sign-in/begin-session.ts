import { cookieIn, hostCookie } from '#http';
import { databaseNow, type SecretBox } from '#kernel';
import { currentTenantId } from '#kernel';
import { knownBrowserDays, type FirstStep, type PanelUser, type SignInResult, type SupportSession } from '#tenancy';
import type { Request, Response } from 'express';
import { regenerateSession, saveSession } from '../request/session-work.js';
import { browserCookie } from './browser-mark.js';

/** Minutes between password and code. */
const stepMinutes = 10;

/** Begins a session with a new id, so that one planted before the sign-in is worth nothing after it. */
export async function beginSession(request: Request, user: PanelUser, support?: SupportSession): Promise<void> {
  await regenerateSession(request);
  request.session.adminUser = user;
  request.session.provenAt = databaseNow().getTime();
  if (support) request.session.support = support;
  request.session.client = {
    address: request.ip ?? null,
    userAgent: request.get('User-Agent')?.slice(0, 300) ?? null,
  };
  await saveSession(request);
}

/** Begins the session of a completed sign-in, and makes the browser known. */
export async function admit(request: Request, response: Response, { user, browserMark }: SignInResult & { ok: true }): Promise<void> {
  await beginSession(request, user);
  const maxAge = knownBrowserDays * 24 * 3_600_000;
  response.cookie(browserCookie(request), browserMark, { ...cookieOptions(request), maxAge });
  FirstSteps.forget(request, response);
}

const cookieOptions = ({ secure }: Request) => ({ httpOnly: true, sameSite: 'lax', secure, path: '/' }) as const;

const stepCookie = ({ secure }: Request): string => hostCookie('guichet-step', secure);

/**
 * Keeps what is known between password and code in a sealed cookie of the browser. It is no session: no route reads it but the page of the
 * code, and it works for the tenant alone where the password was typed.
 */
export class FirstSteps {
  constructor(private readonly box: Pick<SecretBox, 'seal' | 'open'>) {}

  static forget(request: Request, response: Response): void {
    if (cookieIn(request.headers.cookie, stepCookie(request)) !== '') response.clearCookie(stepCookie(request), cookieOptions(request));
  }

  keep(request: Request, response: Response, step: FirstStep): void {
    const until = databaseNow().getTime() + stepMinutes * 60_000;
    const sealed = this.box.seal(Buffer.from(JSON.stringify({ ...step, until })), purpose());
    response.cookie(stepCookie(request), sealed.toString('base64url'), { ...cookieOptions(request), maxAge: stepMinutes * 60_000 });
  }

  /** @returns undefined when there is none, or its time has ended */
  of(request: Request): FirstStep | undefined {
    const sealed = cookieIn(request.headers.cookie, stepCookie(request));
    if (!/^[\w-]{20,1000}$/.test(sealed)) return undefined;
    try {
      const opened = this.box.open(Buffer.from(sealed, 'base64url'), purpose()).toString();
      const { userId, sessionVersion, until }: FirstStep & { until: number } = JSON.parse(opened);
      return until > databaseNow().getTime() ? { userId, sessionVersion } : undefined;
    } catch {
      return undefined;
    }
  }
}

const purpose = (): string => `first step of a sign-in:${currentTenantId() ?? ''}`;
