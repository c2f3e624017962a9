import { Router } from 'express';
import type { RequestHandler } from 'express';
import type { PanelContent, PanelPath } from '../resource/panel-content.js';
import { guardedEntries } from './guarded-entries.js';
import { withProofs } from './proofs.js';
import { currentGrant, mayNow } from './may.js';

/** The contents with rights kept, and with actions that ask again. @throws Error when something has no declared right */
export function guardedContent(content: PanelContent): PanelContent {
  const { entries, rights, proofs = {} } = content;
  if (rights !== 'operator') return { ...content, entries: guardedEntries(entries, rights) };
  return { ...content, entries: entries.map((entry) => withProofs(entry, proofs[entry.source.id])) };
}

/** @throws Error when a route, also one of a router that is used, is outside of a path */
function demandWithin(path: string, stack: Router['stack']): void {
  for (const { route, handle } of stack) {
    if (route && route.path !== path && !route.path.startsWith(`${path}/`)) throw new Error(`${route.path} has no declared right`);
    const { stack: below } = handle as Partial<Router>;
    if (below) demandWithin(path, below);
  }
}

/** The pages beside resources, for people who have what they need. @throws Error when a page is outside of its declared path */
export function guardedPaths(paths: readonly PanelPath[]): Router {
  const router = Router();
  for (const { path, needs, pages } of paths) {
    demandWithin(path, pages.stack);
    // Pages beside resources know all events.
    const isOpen = (): boolean => needs === 'person' || (currentGrant().scope.kind === 'all' && mayNow(needs));
    const check: RequestHandler = (_request, _response, next) => next(isOpen() ? undefined : 'router');
    router.use(Router().use(path, check).use(pages));
  }
  return router;
}
