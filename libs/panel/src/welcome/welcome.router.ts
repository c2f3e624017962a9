import { Router } from 'express';
import { PANEL_PATH, currentPanelRequest, plainPage } from '#panel-kit';
import type { PanelAssets } from '#panel-kit';
import { welcomePage } from './welcome.page.js';
import type { Welcome } from './welcome.reader.js';

/** The page with the first steps of a new tenant. Needs no script. Redirects to the start page after it was dismissed. */
export function welcomeRouter(welcome: Welcome, assets: PanelAssets): Router {
  const router = Router();
  router.get('/welcome', async (_request, response) => {
    const steps = await welcome.read();
    if (!steps) return response.redirect(302, PANEL_PATH);
    const { language, place } = currentPanelRequest();
    response.type('html').send(plainPage(welcomePage(steps, place, language), currentPanelRequest(), assets));
  });
  router.post('/welcome', async (_request, response) => {
    await welcome.dismiss();
    response.redirect(303, PANEL_PATH);
  });
  return router;
}
