import { databaseNow } from '#kernel';
import type { PanelAction } from '../resource/panel-entry.js';
import { currentPanelRequest } from '../request/panel-request.js';

/** Long enough for a slow page to open. */
const MINUTES = 5;

/** Keeps a secret that was just made for the page that shows it, once. */
export const keepToReveal = (subject: string, text: string): void =>
  currentPanelRequest().secrets.keep(subject, text, new Date(databaseNow().getTime() + MINUTES * 60_000));

/** What the component `Reveal` is told. */
export type RevealView = { state: 'ready' | 'gone' } | { state: 'shown'; text: string };

/**
 * The page that shows a secret once: to whoever made it, a moment ago. Looking takes nothing, so that no address that
 * somebody is led to can spend it.
 */
export const revealAction = (subject: (id: string) => string): PanelAction => ({
  icon: 'Key',
  component: 'Reveal',
  menu: false,
  view: async (id) => ({ state: currentPanelRequest().secrets.has(subject(id)) ? 'ready' : 'gone' }) satisfies RevealView,
  act: async (id) => {
    const text = currentPanelRequest().secrets.take(subject(id));
    const view: RevealView = text === undefined ? { state: 'gone' } : { state: 'shown', text };
    return { view };
  },
});
