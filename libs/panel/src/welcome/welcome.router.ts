import { escapeHtml, type Language } from '#kernel';
import { Router } from 'express';
import { PANEL_PATH, currentPanelRequest, fill, plainPage } from '#panel-kit';
import type { PlainPage, PanelAssets } from '#panel-kit';
import { welcomePath, type Welcome, type WelcomeStep } from './welcome.reader.js';
import { welcomeWords } from './welcome.words.js';

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

function welcomePage(steps: readonly WelcomeStep[], place: string, language: Language): PlainPage {
  const words = welcomeWords[language];
  const item = ({ name, isDone, href }: WelcomeStep): string => {
    const { title, text } = words.steps[name];
    return `<li${isDone ? ' class="gt-step-done"' : ''}>
<h2><a href="${escapeHtml(href)}">${escapeHtml(title)}</a></h2>
<p>${escapeHtml(text)}</p>
<p class="gt-step-state">${escapeHtml(isDone ? words.done : words.open)}</p>
</li>`;
  };
  const lead = steps.every(({ isDone }) => isDone) ? words.allDone : words.lead;
  return {
    title: fill(words.title, { place }),
    body: `<p class="gt-lead">${escapeHtml(lead)}</p>
<ol class="gt-steps">
${steps.map(item).join('\n')}
</ol>
<p><a class="gt-button gt-button-wide" href="${PANEL_PATH}">${escapeHtml(words.panel)}</a></p>
<form method="post" action="${welcomePath}">
<button class="gt-button gt-button-quiet gt-button-wide" type="submit">${escapeHtml(words.dismiss)}</button>
</form>`,
  };
}
