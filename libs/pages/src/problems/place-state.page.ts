import { negotiateLanguage, type ProblemPage } from '#http';
import { escapeHtml, isEmail, isLanguage, type Language, type ProblemBody } from '#kernel';
import type { Request } from 'express';
import { standalonePage } from './migrating.page.js';
import { pageTexts } from '#page-kit';

interface Words {
  readonly sentence: string;
  readonly reason: string;
  readonly contact: string;
}

const sentences: Readonly<Record<string, Record<Language, string>>> = {
  'tenant.suspended': pageTexts.localized('placeState.tenantSuspended'),
  'tenant.closed': pageTexts.localized('placeState.tenantClosed'),
  'tenant.deleted': pageTexts.localized('placeState.tenantDeleted'),
};

const labels = pageTexts.perLanguage('placeState.labels', ({ words }) => words);

/** The page of a place that an operator suspended, archived or deleted. Undefined for clients that are programs, and for other problems. */
export function placeStatePage(body: ProblemBody, request: Request): ProblemPage | undefined {
  const sentence = sentences[body.code];
  if (!sentence) return undefined;
  const { language: known } = request.context;
  const language = isLanguage(known) ? known : negotiateLanguage(request, undefined);
  return standalonePage(body, request, linesOf(body, { sentence: sentence[language], ...labels[language] }));
}

function linesOf(body: ProblemBody, words: Words): string {
  const { reason, contact } = body as { readonly reason?: string; readonly contact?: string };
  return [
    escapeHtml(words.sentence),
    reason && `${escapeHtml(words.reason)} <span dir="auto">${escapeHtml(reason)}</span>`,
    contact && `${escapeHtml(words.contact)} ${contactLink(contact)}`,
  ]
    .filter(Boolean)
    .map((line) => `<p>${line}</p>\n`)
    .join('');
}

function contactLink(contact: string): string {
  const shown = escapeHtml(contact);
  if (isEmail(contact)) return `<a href="mailto:${encodeURI(contact)}">${shown}</a>`;
  return /^https?:\/\//i.test(contact) && URL.canParse(contact) ? `<a href="${shown}">${shown}</a>` : shown;
}
