import type { PanelFacts } from '../../admin/panel-facts.js';

declare global {
  interface Window {
    readonly GUICHET: PanelFacts;
  }
}

/** What the page tells the components. */
export const guichet = window.GUICHET;
