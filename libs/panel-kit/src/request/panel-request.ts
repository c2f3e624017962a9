import { ScopeSlot, type Language } from '#kernel';
import type { PanelUser, SupportSession } from '#tenancy';
import type { ShownSecrets } from './shown-secrets.js';

/** What a running panel request knows beside its tenant. */
export interface PanelRequest {
  language: Language;
  /** IANA zone in which times are shown and typed. */
  timeZone: string;
  /** Name of the place, in the side bar, the page title and the sign-in. */
  place: string;
  user: PanelUser | null;
  /** Scheme and host of the request, as `https://venue.example.org`. */
  origin: string;
  secrets: ShownSecrets;
  /** The visit of an operator that this is; absent: staff of the place. */
  support?: SupportSession;
  /** What stands above every page of a place that is not active. */
  banner?: string;
  /** Everything can be read and nothing changed. */
  readOnly?: boolean;
}

const running = new ScopeSlot<PanelRequest>('panel request');

/** Runs `work` as this panel request. */
export const runAsPanelRequest = <T>(request: PanelRequest, work: () => T): T => running.run(request, work);

/**
 * The panel request that is running, for sources and actions that need its user or its language.
 *
 * @throws Error outside one
 */
export function currentPanelRequest(): PanelRequest {
  const request = running.get();
  if (!request) throw new Error('No panel request is running');
  return request;
}
