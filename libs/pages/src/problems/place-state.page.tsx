import { negotiateLanguage, type ProblemPage } from '#http';
import { isEmail, isLanguage, type Language, type ProblemBody } from '#kernel';
import type { Request } from 'express';
import { standalonePage } from './migrating.page.js';
import { texts } from '../locales/pages.texts.js';
import type { ComponentChildren, VNode } from 'preact';

interface Words {
  readonly sentence: string;
  readonly reason: string;
  readonly contact: string;
}

const sentences: Readonly<Record<string, Record<Language, string>>> = {
  'tenant.suspended': texts.localized('placeState.tenantSuspended'),
  'tenant.closed': texts.localized('placeState.tenantClosed'),
  'tenant.deleted': texts.localized('placeState.tenantDeleted'),
};

const labels = texts.perLanguage('placeState.labels', ({ words }) => words);

/** The page of a place that an operator suspended, archived or deleted. Undefined for clients that are programs, and for other problems. */
export function placeStatePage(body: ProblemBody, request: Request): ProblemPage | undefined {
  const sentence = sentences[body.code];
  if (!sentence) return undefined;
  const { language: known } = request.context;
  const language = isLanguage(known) ? known : negotiateLanguage(request, undefined);
  const words = { sentence: sentence[language], ...labels[language] };
  return standalonePage(body, request, <State body={body} words={words} />);
}

function State({ body, words }: { readonly body: ProblemBody; readonly words: Words }): VNode {
  const { reason, contact } = body as { readonly reason?: string; readonly contact?: string };
  return (
    <>
      <p>{words.sentence}</p>
      {reason && (
        <p>
          {words.reason} <span dir="auto">{reason}</span>
        </p>
      )}
      {contact && (
        <p>
          {words.contact} {contactLink(contact)}
        </p>
      )}
    </>
  );
}

function contactLink(contact: string): ComponentChildren {
  if (isEmail(contact)) return <a href={`mailto:${encodeURI(contact)}`}>{contact}</a>;
  return /^https?:\/\//i.test(contact) && URL.canParse(contact) ? <a href={contact}>{contact}</a> : contact;
}
