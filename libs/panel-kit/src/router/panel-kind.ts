import { buildRouter } from '@adminjs/express';
import type { Language } from '#kernel';
import { Router as AdminRoutes } from 'adminjs';
import type { ActionDecorator, AdminJS } from 'adminjs';
import { Router } from 'express';
import type { RequestHandler } from 'express';
import { exportsRouter } from '../exports/exports.router.js';
import { filesRouter } from '../exports/files.router.js';
import type { PanelAssets } from '../request/panel-assets.js';
import type { PanelContent } from '../resource/panel-content.js';
import { plainRefusals } from '../sign-in/panel-failures.js';
import { nonceOf } from '../http/panel-headers.js';
import { postToChange } from '../http/panel-methods.js';
import { panelPage } from '../admin/panel-page.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { guardedPaths } from '../rights/guarded-content.js';
import { searchRouter } from '../search/search.router.js';
import { panelWords, toAdminTexts, toAdminWords } from '../words/panel-words.js';

/** Converts AdminJS's path patterns (`{id}`) to Express's. */
const expressPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1') || '/';

/** Whether an action may be called at a path of this kind, by the path's segment. */
const kinds: Readonly<Record<string, (action: ActionDecorator) => boolean>> = {
  records: (action) => action.isRecordType(),
  actions: (action) => action.isResourceType(),
  bulk: (action) => action.isBulkType(),
};

/** Answers 404 for unknown resources and actions, and for record actions called without a record; AdminJS would answer 500. */
function knownOnly(admin: AdminJS, path: string): RequestHandler {
  const [, kind = ''] = /:resourceId\/(\w+)/.exec(path) ?? [];
  return (request, response, next) => {
    const { resourceId, action } = request.params as { resourceId?: string; action?: string };
    const actions = admin.resources.find((candidate) => candidate.decorate().id() === resourceId)?.decorate().actions;
    const found = actions && action && Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (actions && (!action || (found && (kinds[kind]?.(found) ?? true)))) next();
    else response.status(404).json({ notice: { message: 'error404Resource', type: 'error' }, records: [], record: null });
  };
}

/** All texts of a panel in one language, in AdminJS's format. */
function translations({ entries, startTitle }: PanelContent, language: Language): Record<string, unknown> {
  const words = panelWords(language);
  const ours = entries.map((entry) => [entry.source.id, toAdminWords(entry.source.id, entry.words[language])]);
  const start = startTitle?.[language] ?? words.labels.dashboard;
  return toAdminTexts({ ...words, labels: { ...words.labels, dashboard: start }, resources: Object.fromEntries(ours) as unknown });
}

type PageController = Record<string, (request: unknown) => Promise<string>>;
type AdminRoute = (typeof AdminRoutes.routes)[number];

/** Renders one of AdminJS's pages in our document. */
function page(
  admin: AdminJS,
  route: AdminRoute,
  assets: PanelAssets,
  translated: (language: Language) => Record<string, unknown>,
  isMailed: boolean,
): RequestHandler {
  return async ({ params, query }, response) => {
    const panel = currentPanelRequest();
    const controller: PageController = new route.Controller({ admin }, panel.user);
    const rendered = await controller[route.action]!({ params: { recordIds: 'none', ...params }, query });
    const context = { request: panel, assets, nonce: nonceOf(response), translations: translated(panel.language), isMailed };
    response.type('html').send(panelPage(rendered, context));
  };
}

/**
 * The routes of one kind of panel: our pages around AdminJS's state, then AdminJS's own API.
 * @param isMailed whether the server sends mails
 */
export function panelKindRouter(content: PanelContent, admin: AdminJS, assets: PanelAssets, isMailed: boolean): Router {
  const { entries, lookUpCode, paths } = content;
  const known = new Map<Language, Record<string, unknown>>();
  const translated = (language: Language): Record<string, unknown> => {
    const texts = known.get(language) ?? translations(content, language);
    known.set(language, texts);
    return texts;
  };
  const router = Router();
  if (paths) router.use(guardedPaths(paths(assets)));
  for (const route of AdminRoutes.routes) {
    if (route.action === 'bundleComponents') continue;
    const path = expressPath(route.path);
    // AdminJS's deprecated search route, which writes a warning to the console at every call.
    if (route.action === 'search') router.all(path, (_request, _response, next) => next('router'));
    else if (!path.startsWith('/api/')) router.get(path, page(admin, route, assets, translated, isMailed));
    else if (path.includes(':resourceId')) router.all(path, knownOnly(admin, path), postToChange);
  }
  router.use(exportsRouter(entries), filesRouter(entries), searchRouter(entries, lookUpCode));
  router.use(plainRefusals(), buildRouter(admin, Router()));
  return router;
}
