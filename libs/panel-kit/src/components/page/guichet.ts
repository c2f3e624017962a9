import type { ReactNode } from 'react';
import type { PanelFacts } from '../../admin/panel-facts.js';

/** The passkeys of the browser. */
export interface Passkeys {
  readonly areThere: boolean;
  /** What the browser answers, as text. @param address answers what the browser needs @throws Error when it does not answer */
  readonly answerOf: (address: string, act: 'new' | 'use') => Promise<string>;
}

declare global {
  interface Window {
    readonly GUICHET: PanelFacts;
    /** Set by `passkeys.ts`. */
    guichetPasskeys?: Passkeys;
    /** Both are in AdminJS's bundles. */
    readonly createRoot: (element: HTMLElement) => { render(node: ReactNode): void };
    readonly AdminJS: { readonly Application: ReactNode };
  }
}

/** What the page tells the components. */
export const guichet = window.GUICHET;
