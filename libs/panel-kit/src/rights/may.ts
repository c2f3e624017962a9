import { toCents } from '#kernel';
import { fullGrant, grantAllows, type Grant, type Permission } from '#tenancy';
import { currentPanelRequest } from '../request/panel-request.js';
import type { PanelEntry } from '../resource/panel-entry.js';
import type { PanelRow } from '../resource/panel-source.js';
import type { ActionNeeds, PathNeeds, ResourceRights } from '../resource/resource-rights.js';

/** The grant of the signed-in person. */
export const currentGrant = (): Grant => currentPanelRequest().grant ?? { role: '', levels: {}, scope: { kind: 'events', eventIds: [] } };

/** Whether the person has every right, so that nothing is hidden. */
export const hasAll = (grant: Grant): boolean => grant.scope.kind === 'all' && grant.levels === fullGrant.levels;

/** Whether the signed-in person has what something needs. */
export function mayNow(needs: PathNeeds | ActionNeeds, grant: Grant = currentGrant()): boolean {
  if (typeof needs === 'object' && 'oneOf' in needs)
    return mayNow(needs.all, grant) && needs.oneOf.some((permission) => grantAllows(grant, permission));
  return needs === 'person' || [needs].flat().every((permission) => grantAllows(grant, permission));
}

/** What people whose right is about some events may do with each resource that knows the event of its rows. */
const scopedActions: ReadonlySet<string> = new Set(['list', 'show', 'edit', 'exports', 'prints', 'sums']);

/**
 * Whether a grant allows an action of a resource: `list`, `show`, `new`, `edit`, `delete`, `exports`, `prints`, `sums`, or the name of an
 * action or a page. What is not declared is not allowed.
 */
export function mayPerform({ rights }: Pick<PanelEntry, 'rights'>, action: string, grant: Grant): boolean {
  if (hasAll(grant)) return true;
  if (!rights || !mayNow(rights.see, grant) || !fitsScope(rights, action, grant)) return false;
  const needs = needsOf(rights, action);
  return needs !== undefined && mayNow(needs, grant);
}

/** What an action needs beside seeing its resource; undefined when it is not declared. */
function needsOf({ see, create, change, remove, prints, actions = {} }: ResourceRights, action: string): ActionNeeds | undefined {
  const own: Readonly<Record<string, ActionNeeds | undefined>> = {
    list: see,
    show: see,
    new: create,
    edit: change,
    delete: remove,
    prints,
    exports: 'export.download',
    sums: 'money.see',
  };
  if (Object.hasOwn(own, action)) return own[action];
  return Object.hasOwn(actions, action) ? actions[action] : undefined;
}

type Noun = Permission extends `${infer Name}.${string}` ? Name : never;

/** Whether seeing a resource, or an action of it, needs a right about one of the nouns. */
export function isAbout(nouns: readonly Noun[], { rights }: Pick<PanelEntry, 'rights'>, action: string): boolean {
  const permissions = [rights?.see, rights && needsOf(rights, action)].flatMap((needs) =>
    typeof needs === 'object' && 'oneOf' in needs ? [needs.all, needs.oneOf].flat() : [needs ?? []].flat(),
  );
  return permissions.some((permission) => nouns.some((noun) => permission.startsWith(`${noun}.`)));
}

/** Whether a grant allows an action that it may perform for this record, too: some records need more. */
export function mayPerformOn({ rights }: Pick<PanelEntry, 'rights'>, action: string, row: PanelRow, grant: Grant): boolean {
  const more = rights?.more && Object.hasOwn(rights.more, action) ? rights.more[action] : undefined;
  if (!more || mayNow(more.needs, grant)) return true;
  const amount = row[more.above];
  // An amount that is not there is not known to be nothing.
  return (typeof amount === 'string' || typeof amount === 'number') && toCents(String(amount)) <= 0;
}

function fitsScope({ event, scoped = [] }: NonNullable<PanelEntry['rights']>, action: string, { scope }: Grant): boolean {
  if (scope.kind === 'all') return true;
  if (event === undefined) return false;
  return event === 'all' ? action === 'list' || action === 'show' : scopedActions.has(action) || scoped.includes(action);
}
