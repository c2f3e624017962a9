import { isIP } from 'node:net';
import { cookieIn, hostCookie } from '#http';
import type { PasskeyAnswer, PasskeyQuestion, PasskeySite } from '#tenancy';
import type { Request, Response } from 'express';
import { currentPanelRequest } from '../request/panel-request.js';

const cookieName = ({ secure }: Request): string => hostCookie('guichet-passkey', secure);

/** The site of a request for passkeys; undefined: an IP address, where browsers have none. */
export function passkeySite({ hostname }: Pick<Request, 'hostname'>): PasskeySite | undefined {
  const host = hostname.toLowerCase();
  return isIP(host.replaceAll(/[[\]]/g, '')) > 0 ? undefined : { host, origin: currentPanelRequest().origin };
}

/** Sends a browser what it needs for a passkey, and gives it the sealed challenge to keep. */
export function askForPasskey(request: Request, response: Response, { options, sealed }: PasskeyQuestion<object>): void {
  response.cookie(cookieName(request), sealed, {
    httpOnly: true,
    sameSite: 'strict',
    secure: request.secure,
    path: '/admin',
    maxAge: 300_000,
  });
  response.json(options);
}

/** The answer of a browser; undefined when there is none. The challenge is taken from the browser. */
export function passkeyAnswer(request: Request, response: Response, answer: unknown): PasskeyAnswer | undefined {
  const site = passkeySite(request);
  const sealed = cookieIn(request.headers.cookie, cookieName(request));
  if (sealed !== '')
    response.clearCookie(cookieName(request), { httpOnly: true, sameSite: 'strict', secure: request.secure, path: '/admin' });
  return site && typeof answer === 'string' && answer !== '' ? { site, sealed, answer } : undefined;
}
