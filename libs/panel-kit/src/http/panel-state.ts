import { currentLanguage, Problem, type Language } from '#kernel';
import { refusesChanges, type PanelUser, type TenantState } from '#tenancy';
import type { RequestHandler } from 'express';
import { currentPanelRequest } from '../request/panel-request.js';
import type { PanelRequest } from '../request/panel-request.js';
import { texts } from '../locales/panel-kit.texts.js';

/** The state of the tenant as the panel needs it; absent: active. */
export interface PlaceState {
  readonly state?: TenantState;
  readonly stateReason?: string | null;
}

const banners: Readonly<Record<Language, Readonly<Record<'suspended' | 'archived' | 'readOnly', string>>>> = texts.perLanguage(
  'panelState.banners',
  ({ words }) => words,
);

/** The banner of a tenant that is not active, and whether its panel is read-only. */
export function panelState(
  { state = 'active', stateReason }: PlaceState,
  user: PanelUser | null,
  language: Language,
): Pick<PanelRequest, 'banner' | 'readOnly'> {
  if (state !== 'suspended' && state !== 'archived') return {};
  const words = banners[language];
  const readOnly = refusesChanges({ state }, user?.isSuperUser === true);
  const reason = stateReason ? `${texts.localized('panelState.reason')[language]} ${stateReason.replace(/[.\s]+$/, '')}.` : '';
  return { banner: [words[state], reason, readOnly ? words.readOnly : ''].filter(Boolean).join(' '), readOnly };
}

/** Refuses all changes while the tenant's panel is read-only. Must run after the routes of sign-in and sign-out. */
export function placeStateCheck(): RequestHandler {
  return (request, response, next) => {
    if (request.method === 'GET' || !currentPanelRequest().readOnly) return next();
    const message = banners[currentLanguage()].readOnly;
    response.status(new Problem('tenant.archived').status).json({ notice: { message, type: 'error' }, records: [], record: null });
  };
}
