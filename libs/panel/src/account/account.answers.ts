import { currentPanelRequest, plainPage, proofPath, type PanelAssets, type PlainPage } from '#panel-kit';
import type { Request, Response } from 'express';
import { ownAccountWords } from './account.words.js';

/** A text field of a form; empty when it was not sent. */
export function textIn(request: Request, name: string): string {
  const { fields }: { fields?: unknown } = request as { fields?: unknown };
  const value: unknown = typeof fields === 'object' && fields !== null ? Reflect.get(fields, name) : undefined;
  return typeof value === 'string' ? value : '';
}

/** Sends a page of *My account*. */
export function sendPage(response: Response, status: number, page: PlainPage, assets: PanelAssets): void {
  response
    .status(status)
    .type('html')
    .send(plainPage(page, currentPanelRequest(), assets));
}

/** The texts in the language of the person. */
export const wordsNow = (): (typeof ownAccountWords)['en'] => ownAccountWords[currentPanelRequest().language];

/** The person who is signed in. */
export const ownId = (): string => currentPanelRequest().user?.id ?? '00000000-0000-0000-0000-000000000000';

/** Asks for a proof first, unless there was one a short time ago. @param path to which people come back */
export function isAsked(response: Response, path: string): boolean {
  if (currentPanelRequest().isProven === true) return false;
  response.redirect(303, `${proofPath}?next=${encodeURIComponent(path)}`);
  return true;
}
