import type { Clock, Language } from '#kernel';

/** What each page of the panel tells the components beside AdminJS's state, as `window.GUICHET`. */
export interface PanelFacts {
  /** Name of the venue, or of the server. */
  readonly place: string;
  readonly timeZone: string;
  readonly language: Language;
  /** BCP 47. */
  readonly locale: string;
  /** How times are written. */
  readonly clock: Clock;
  /** ISO 4217. */
  readonly currency: string;
  /** `label` is in the language of the page, `name` in the language itself. */
  readonly languages: readonly { readonly code: Language; readonly label: string; readonly name: string }[];
  /** URL. */
  readonly logo: string;
  /** Whether the server sends mails. */
  readonly isMailed: boolean;
  readonly banner?: string;
  /** The visit of an operator; absent for staff. */
  readonly support?: { readonly text: string; readonly leave: string };
}
