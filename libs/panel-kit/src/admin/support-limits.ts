import type { Language } from '#kernel';
import type { RequestHandler } from 'express';
import type { PanelEntry } from '../resource/panel-entry.js';
import { currentPanelRequest } from '../request/panel-request.js';
import type { SupportOptions } from '../sign-in/support.router.js';

/**
 * What a visit leaves closed, beside what the resources themselves close (`PanelEntry.support`): secrets that are shown once, and files,
 * which would carry the personal data of a whole list, or tickets that admit, out of the panel.
 */
export function closedToSupport({ support, actions }: PanelEntry, action: string, changes: boolean): boolean {
  if (!currentPanelRequest().support) return false;
  return support === 'closed' || (support === 'readOnly' && changes) || action === 'reveal' || actions?.[action]?.file !== undefined;
}

const refusal: Readonly<Record<Language, string>> = {
  en: 'A support visit takes no files along.',
  fr: 'Une visite de l’assistance n’emporte pas de fichiers.',
};

/** Refuses lists as files and printed tickets. */
export function noFilesForSupport(): RequestHandler {
  return (request, response, next) => {
    const { support, language } = currentPanelRequest();
    if (!support || !/^\/(exports|files)\//i.test(request.path)) return next();
    response.status(403).type('text/plain; charset=utf-8').send(refusal[language]);
  };
}

/**
 * Records what a visit looks at and does, before it happens: nothing is done that is not recorded. Stands behind the reading of the body.
 * Of what is sent the names of the fields are kept, and not what stands in them.
 */
export function recordSupport({ record }: Pick<SupportOptions, 'record'>): RequestHandler {
  return (request, _response, next) => {
    const { support } = currentPanelRequest();
    const act = support && actOf(request.path);
    if (!support || !act) return next();
    const kind = request.method === 'GET' || act.action === 'search' ? 'looked' : 'changed';
    const { fields } = request as { fields?: Record<string, unknown> };
    const names = kind === 'changed' ? Object.keys(fields ?? {}).filter((name) => name !== 'confirmed') : [];
    record(support.visitId, { kind, ...act, fields: names.slice(0, 100) }).then(() => next(), next);
  };
}

/** The parts of an address of the panel's API; undefined for what shows and changes no record. */
function actOf(path: string): { resource: string; record: string; action: string } | undefined {
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
