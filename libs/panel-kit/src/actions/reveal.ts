import { databaseNow } from '#kernel';
import type { PanelAction } from '../resource/panel-entry.js';
import { currentPanelRequest } from '../request/panel-request.js';

/** Long enough for a slow page to load. */
const MINUTES = 5;

/** Keeps a new secret for the page that shows it once. It expires after five minutes. */
export const keepToReveal = (subject: string, text: string): void =>
  currentPanelRequest().secrets.keep(subject, text, new Date(databaseNow().getTime() + MINUTES * 60_000));

/** The view of the component `Reveal`. */
export type RevealView = { state: 'ready' | 'gone' } | { state: 'shown'; text: string };

/**
 * A page that shows a secret once, to the user who created it. GET does not take the secret, so that a link from another site cannot use it
 * up.
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
