import { cookieIn, htmlOf, hostCookie } from '#http';
import { currentLanguage, currentRequest, databaseNow, untilWhen, type Settings } from '#kernel';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { pageCookie } from '../forms/cookies.js';
import { pageWords } from '../frame/pages.words.js';

/** What a browser has chosen and not ordered yet. */
export interface HeldOrder {
  /** Of the page on which it is continued. */
  readonly path: string;
  readonly count: number;
  readonly until: Date;
  /** Of the event; undefined: a cart. */
  readonly slug?: string | undefined;
}

const name = 'guichet-held';

/**
 * A header `Set-Cookie` with which pages know what this browser holds, until the hold ends.
 * @param held undefined: of this page nothing any more
 * @returns undefined when the browser holds something else
 */
export function heldCookie(settings: Pick<Settings, 'publicScheme'>, held: HeldOrder | undefined): string | undefined {
  const seconds = held ? Math.floor((held.until.getTime() - databaseNow().getTime()) / 1000) : 0;
  if (held && seconds > 0) {
    const value = [held.path, held.count, held.until.getTime(), held.slug ?? ''].map(encodeURIComponent).join('.');
    return pageCookie(settings, { name }, value, seconds);
  }
  const known = heldOrder();
  return known && isOwnPage(known) ? pageCookie(settings, { name }, '', 0) : undefined;
}

/** Whether the request is for a page of the held order: until it is ordered `/order/<id>/…`, from then on `/reservation/<id>/…`. */
function isOwnPage({ path }: HeldOrder): boolean {
  const address = currentRequest()?.address ?? '';
  return address.startsWith(path) || address.startsWith(`/reservation/${path.split('/')[2]}/`);
}

const read = new WeakMap<object, { readonly held: HeldOrder | undefined }>();

/** What this browser holds, by its cookie, which is read once in a request; undefined: nothing, or a value that no page has set. */
export function heldOrder(): HeldOrder | undefined {
  const request = currentRequest();
  if (request === undefined) return undefined;
  const known = read.get(request) ?? { held: heldIn(request.cookie) };
  read.set(request, known);
  return known.held;
}

function heldIn(header: string | undefined): HeldOrder | undefined {
  const value = cookieIn(header, hostCookie(name, true)) || cookieIn(header, hostCookie(name, false));
  const [path = '', count = '', until = '', slug = ''] = value.split('.').map(decoded);
  if (!/^\/(?:order|cart)\/[\w-]{1,60}\/[\w-]{1,60}$/.test(path) || !/^\d{1,3}$/.test(count) || !/^\d{13}$/.test(until)) return undefined;
  const held = { path, count: Number(count), until: new Date(Number(until)), ...(slug !== '' && { slug }) };
  return held.until > databaseNow() ? held : undefined;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

/** `You hold 2 tickets until 20:27`. */
export function heldWords({ count, until }: HeldOrder): string {
  const language = currentLanguage();
  return pageWords[language].held(count, untilWhen(until, language, currentTenant().timeZone));
}

/** A page with what its reader holds, in its head; pages are kept without it, because they are the same for all readers. */
export function withHeld(html: string, held: HeldOrder): string {
  // Its own pages say it themselves.
  if (isOwnPage(held)) return html;
  const [before, after] = [html.indexOf(headStart), html.indexOf(headEnd)];
  if (before < 0 || after < 0) return html;
  return (
    html.slice(0, before) +
    htmlOf(<HeldNotice held={held} />) +
    html.slice(before, after) +
    htmlOf(<HeldCart held={held} />) +
    html.slice(after)
  );
}

/** Begin and end of the head of a page. Nothing that people write contains them: their markup is escaped, or has paragraphs only. */
const [headStart, headEnd] = ['<header class="head">', '</nav></header>'];

function HeldNotice({ held }: { readonly held: HeldOrder }): VNode {
  const words = pageWords[currentLanguage()];
  return (
    <aside class="held" aria-label={words.yourOrder}>
      {heldWords(held)} – <a href={held.path}>{words.goOn}</a>
    </aside>
  );
}

function HeldCart({ held: { slug, path, count } }: { readonly held: HeldOrder }): VNode | null {
  if (slug !== undefined) return null;
  return (
    <a href={path}>
      {pageWords[currentLanguage()].cart}
      <span class="count">{count}</span>
    </a>
  );
}
