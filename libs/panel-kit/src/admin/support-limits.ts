import type { Language } from '#kernel';
import type { Request, RequestHandler } from 'express';
import type { PanelEntry } from '../resource/panel-entry.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { isAbout } from '../rights/may.js';
import type { SupportOptions } from '../sign-in/support.router.js';
import { texts } from '../locales/panel-kit.texts.js';

/** What no support visit sees or changes, wherever it stands. */
const closedNouns = ['key', 'paymentAccount'] as const;

/**
 * Whether an action is refused during a support visit, beside what resources refuse themselves (`PanelEntry.support`): what is about keys
 * and the payment account, secrets that are shown once, and files, which would take the personal data of a whole list, or valid tickets,
 * out of the panel.
 */
export function closedToSupport(entry: PanelEntry, action: string, changes: boolean): boolean {
  if (!currentPanelRequest().support) return false;
  const { support, actions } = entry;
  if (support === 'closed' || (support === 'readOnly' && changes) || isAbout(closedNouns, entry, action)) return true;
  return action === 'reveal' || actions?.[action]?.file !== undefined;
}

const refusal: Readonly<Record<Language, string>> = texts.localized('supportVisit.noFiles');

/** Answers 403 to exports and printed tickets during a support visit. */
export function noFilesForSupport(): RequestHandler {
  return (request, response, next) => {
    const { support, language } = currentPanelRequest();
    if (!support || !/^\/(exports|files)\//i.test(request.path)) return next();
    response.status(403).type('text/plain; charset=utf-8').send(refusal[language]);
  };
}

/**
 * Records each view and each change of a support visit before it happens, so that nothing happens unrecorded. Must run after the body is
 * read. Records the names of the sent fields, not their values.
 */
export function recordSupport({ record }: Pick<SupportOptions, 'record'>): RequestHandler {
  return (request, _response, next) => {
    const { support } = currentPanelRequest();
    const act = support && actOf(request);
    if (!support || !act) return next();
    const kind = request.method === 'GET' || act.action === 'search' || act.action === 'preview' ? 'looked' : 'changed';
    const { fields } = request as { fields?: Record<string, unknown> };
    const names = kind === 'changed' ? Object.keys(fields ?? {}).filter((name) => name !== 'confirmed') : [];
    record(support.visitId, { kind, ...act, fields: names.slice(0, 100) }).then(() => next(), next);
  };
}

interface Act {
  /** Empty: something that belongs to no resource. */
  readonly resource: string;
  readonly record: string;
  readonly action: string;
}

/** The documents of the panel: their scripts ask for all data. */
const documents = /^\/(?:$|resources\/|pages\/)/i;

/** What a request views or changes; undefined for documents without data. A path that is not known here is recorded as it is. */
function actOf({ method, path }: Request): Act | undefined {
  const known = apiActOf(path);
  if (known) return known;
  if (method === 'GET' && documents.test(path)) return undefined;
  const [, sums] = /^\/sums\/([^/]{1,100})$/i.exec(path) ?? [];
  if (sums !== undefined) return { resource: decoded(sums), record: '', action: 'sums' };
  if (/^\/api\/dashboard\/?$/i.test(path)) return { resource: '', record: '', action: 'start' };
  if (/\/preview\/?$/i.test(path)) return { resource: '', record: '', action: 'preview' };
  return {
    resource: '',
    record: '',
    action: decoded(path)
      .replace(/^\/(?:api\/)?/i, '')
      .slice(0, 100),
  };
}

/** Resource, record and action of a path of AdminJS's API. */
function apiActOf(path: string): Act | undefined {
  if (/^\/api\/search\/?$/i.test(path)) return { resource: '', record: '', action: 'search' };
  const [, resource, kind, ...rest] =
    /^\/api\/resources\/([^/]{1,100})\/(actions|records|bulk)\/(?:([^/]{1,300})\/)?([^/]{1,100})\/?$/i.exec(path) ?? [];
  if (resource === undefined || kind === undefined) return undefined;
  const [record = '', action = ''] = rest;
  return { resource, record: decoded(record), action };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
