import type { Text } from '#kernel';
import { Router } from 'express';
import type { Request, Response } from 'express';
import { allowed } from '../admin/panel-action.js';
import type { PanelEntry, PanelFile } from '../resource/panel-entry.js';
import { currentPanelRequest } from '../request/panel-request.js';
import { isIdentifier } from '../resource/panel-values.js';
import { demandProof } from '../rights/proofs.js';
import { inTurn } from './export-file.js';
import { rowsOf } from './exports.router.js';

/** Characters that file systems or headers do not allow, and invisible ones, such as those that reverse the text direction. */
const unfit = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\/:*?"<>|]+/gu;

/** A file name that is valid on every system. */
export function fileName(name: string, extension = 'pdf'): string {
  const fit = name.toWellFormed().normalize('NFC').replace(unfit, ' ').replace(/\s+/g, ' ').trim();
  return `${[...fit].slice(0, 120).join('').trim() || 'tickets'}.${extension}`;
}

function sendFile(response: Response, { name, content, type: other }: PanelFile, open: 'tab' | 'save'): void {
  const type = other ?? 'pdf';
  response.attachment(fileName(name, type)).type(`application/${type}`);
  // Express sets the file name for `attachment`, which saves without showing; `inline` shows it.
  if (open === 'tab') response.set('Content-Disposition', String(response.get('Content-Disposition')).replace(/^attachment/, 'inline'));
  // The policy for pages has no effect inside a PDF, but would block the inline styles of the browsers' PDF viewers.
  response.removeHeader('Content-Security-Policy');
  response.send(content);
}

/** Sends the PDF of a record's action. @returns false when there is no such file */
async function sendOfRecord(entries: readonly PanelEntry[], { params }: Request, response: Response): Promise<boolean> {
  const { id, record, action } = params as { id: string; record: string; action: string };
  const entry = entries.find(({ source }) => source.id === id);
  const { visible, file } = (entry?.actions && Object.hasOwn(entry.actions, action) && entry.actions[action]) || {};
  if (!entry || !file || !allowed(entry, 'show') || !allowed(entry, action)) return false;
  const identifier = entry.source.properties.find(({ isId }) => isId);
  if (!identifier || !isIdentifier(identifier, record)) return false;
  const row = await entry.source.findOne(record);
  if (!row || visible?.(row) === false) return false;
  const found = await file.read(record);
  if (!found) return false;
  sendFile(response, found, file.open);
  return true;
}

/** Sends a filtered list as PDF. @returns false when the list cannot be printed */
async function sendOfList(entries: readonly PanelEntry[], request: Request, response: Response): Promise<boolean> {
  const entry = entries.find(({ source }) => source.id === request.params['id']);
  if (!entry?.prints || !allowed(entry, 'prints')) return false;
  await demandProof(entry, 'exports');
  const { most, read, nothing, tooMany } = entry.prints;
  const say = (status: number, text: Text): void =>
    void response.status(status).type('text/plain; charset=utf-8').send(text[currentPanelRequest().language]);
  const print = async (): Promise<PanelFile | 'tooMany' | undefined> => {
    const rows = await rowsOf(entry, request.query, most);
    return rows.length > most ? 'tooMany' : read(rows.map((row) => String(row['id'])));
  };
  const found = await inTurn.run(print, response);
  if (found === 'tooMany') say(413, tooMany);
  else if (found) sendFile(response, found, 'tab');
  else say(404, nothing);
  return true;
}

/** PDFs of records and of lists, by GET. */
export function filesRouter(entries: readonly PanelEntry[]): Router {
  const router = Router();
  router.get('/files/:id.pdf', (request: Request, response: Response, next) => {
    sendOfList(entries, request, response).then((sent) => sent || next('router'), next);
  });
  router.get('/files/:id/:record/:action.pdf', (request: Request, response: Response, next) => {
    sendOfRecord(entries, request, response).then((sent) => sent || next('router'), next);
  });
  return router;
}
