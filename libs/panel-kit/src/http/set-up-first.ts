import type { RequestHandler } from 'express';
import { PANEL_PATH } from '../request/panel-path.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { plainWords } from '../sign-in/plain-page.words.js';

/** The page of people who must set up a second factor. */
const setUpPath = `${PANEL_PATH}/account/required`;

/** What they can open: that page, and those where it is set up. */
const open = /^\/(account\/(required|factor|passkeys)|prove)(\/|$)/i;

/** Leads people who must set up a second factor to the page for it; everything else is closed to them. */
export function setUpFirst(): RequestHandler {
  return (request, response, next) => {
    const { mustSetUp, language } = currentPanelRequest();
    if (mustSetUp !== true || open.test(request.path)) return next();
    if (!request.path.startsWith('/api/')) return response.redirect(303, setUpPath);
    const notice = { message: plainWords(language).setUpFirst, type: 'error' };
    // The pages' script opens the sign-in on this status, which leads here and so to that page.
    response.status(401).json({ notice, records: [], record: null });
  };
}
