import type { PanelFacts } from '../../admin/panel-facts.js';

declare global {
  interface Window {
    readonly GUICHET: PanelFacts;
    /** Set by `passkeys.js`. */
    readonly guichetPasskeys?: {
      readonly areThere: boolean;
      /** What the browser answers, as text. @param address answers what the browser needs @throws Error when it does not answer */
      readonly answerOf: (address: string, act: 'new' | 'use') => Promise<string>;
    };
  }
}

/** What the page tells the components. */
export const guichet = window.GUICHET;
