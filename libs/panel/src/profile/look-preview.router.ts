import { RefusedInputs } from '#kernel';
import type { LookPagesService } from '#pages';
import { checkedLook } from '#places';
import { Router } from 'express';
import type { Request, Response } from 'express';
import { lookPreviewPath } from './look.action.js';

/** The page is a picture only: it runs nothing, sends nothing, and only the panel shows it in a frame. Its own host has its styles. */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' http: https:",
  "font-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-same-origin',
].join('; ');

/** Renders a public page in the look of the query, which is not stored; or says what is wrong with the look (422). */
export function lookPreviewRouter(pages: LookPagesService): Router {
  const router = Router();
  router.get(lookPreviewPath, (request, response, next) => {
    answer(pages, request, response).catch(next);
  });
  return router;
}

async function answer(pages: LookPagesService, request: Request, response: Response): Promise<void> {
  try {
    const look = checkedLook({
      accentColour: textIn(request, 'accentColour'),
      typeface: textIn(request, 'typeface'),
      corners: textIn(request, 'corners'),
    });
    const page = request.query['page'] === 'event' ? await pages.event(look, textIn(request, 'event')) : await pages.home(look);
    // Links would leave the frame for pages that refuse to be in one: a new tab, which the sandbox does not open.
    response.set('Content-Security-Policy', policy).type('html').send(page.replace('<head>', '<head><base target="_blank">'));
  } catch (error) {
    if (!(error instanceof RefusedInputs)) throw error;
    response.status(422).type('text/plain; charset=utf-8').send(error.message);
  }
}

function textIn({ query }: Request, name: string): string | undefined {
  const value = query[name];
  return typeof value === 'string' ? value : undefined;
}
