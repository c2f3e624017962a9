import { ScopeSlot, type Language } from '#kernel';
import type { Grant, PanelUser, SupportSession } from '#tenancy';
import type { ShownSecrets } from './shown-secrets.js';

/** Data of the current panel request beside its tenant. */
export interface PanelRequest {
  language: Language;
  /** IANA time zone in which times are shown and typed. */
  timeZone: string;
  /** Name of the venue, in the side bar, the page title and the sign-in page. */
  place: string;
  user: PanelUser | null;
  /** What the user may do; absent: nobody is signed in. */
  grant?: Grant;
  /** The person proved a short time ago to be the one. */
  isProven?: boolean;
  /** The person must set up a second factor before anything else. */
  mustSetUp?: boolean;
  /** Scheme and host of the request, as `https://venue.example.org`. */
  origin: string;
  secrets: ShownSecrets;
  /** Set during an operator's support visit; absent for staff of the venue. */
  support?: SupportSession;
  /** Banner on every page of a tenant that is not active. */
  banner?: string;
  /** Whether the panel refuses all changes. */
  readOnly?: boolean;
}

const running = new ScopeSlot<PanelRequest>('panel request');

/** Runs `work` with `request` as the current panel request. */
export const runAsPanelRequest = <T>(request: PanelRequest, work: () => T): T => running.run(request, work);

/**
 * The current panel request, for sources and actions that need its user or language.
 * @throws Error outside of a panel request
 */
export function currentPanelRequest(): PanelRequest {
  const request = running.get();
  if (!request) throw new Error('No panel request is running');
  return request;
}
