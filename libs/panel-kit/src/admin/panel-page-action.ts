import type { Action, ActionResponse } from 'adminjs';
import { allowed, noticeOf } from './panel-action.js';
import type { PanelEntry, PanelPage } from '../resource/panel-entry.js';
import { PanelFieldError } from '../resource/panel-source.js';
import type { PanelRow, PanelView } from '../resource/panel-source.js';

/** The answer to a page's component: its view, or errors by field. */
export interface PageAnswer extends ActionResponse {
  view: PanelView;
  errors?: PanelFieldError['fields'];
  redirectUrl?: string;
}

async function act(entry: PanelEntry, perform: NonNullable<PanelPage['act']>, values: PanelRow): Promise<PageAnswer> {
  try {
    const { view, message, options, redirect } = await perform(values);
    return {
      view: view ?? null,
      ...(message && { notice: { ...noticeOf(message, { options }), resourceId: entry.source.id } }),
      ...(redirect && { redirectUrl: redirect }),
    };
  } catch (error) {
    if (!(error instanceof PanelFieldError)) throw error;
    const summary = error.summary && { notice: { message: error.summary, type: 'error' as const } };
    return { view: null, errors: error.fields, ...summary };
  }
}

/** Converts a {@link PanelPage} to an AdminJS action: GET returns the view, POST performs the action. */
export function toAdminPage(entry: PanelEntry, name: string, page: PanelPage): Action<PageAnswer> {
  const offered = (): boolean => allowed(entry, name);
  return {
    name,
    actionType: 'resource',
    icon: page.icon,
    component: page.component,
    variant: page.variant ?? 'default',
    custom: { page: true, under: page.under, side: page.side === true, keepsFilter: page.keepsFilter === true },
    isVisible: offered,
    isAccessible: offered,
    handler: async (request) =>
      request.method === 'post' && page.act
        ? act(entry, page.act, (request.payload ?? {}) as PanelRow)
        : { view: await page.view(request.query ?? {}) },
  };
}
