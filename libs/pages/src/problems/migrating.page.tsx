import { createHash } from 'node:crypto';
import { documentOf, negotiateLanguage, type ProblemPage, SafeHtml } from '#http';
import { isLanguage, type ProblemBody } from '#kernel';
import type { Request } from 'express';
import { texts } from '../locales/pages.texts.js';
import type { VNode } from 'preact';

/** Inline, because the tenant cannot serve a style sheet at the moment. */
const style =
  ':root{color-scheme:light dark}' +
  'body{font:1.1rem/1.5 system-ui,sans-serif;margin:0;display:grid;min-height:100vh;place-content:center;' +
  'padding:1.5rem;background:#faf7f2;color:#2b2228}' +
  'main{max-width:32rem}' +
  'h1{font-size:1.6rem;line-height:1.2;margin:0 0 .5rem}' +
  'p{margin:.5rem 0}' +
  '.place{color:#6b2d5c;font-weight:600}' +
  '@media(prefers-color-scheme:dark){body{background:#181318;color:#f1e9ee}.place{color:#e3a6d0}}';
const styleHash = createHash('sha256').update(style).digest('base64');

const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Seconds until the page reloads automatically. */
const reloadSeconds = 15;

const words = texts.perLanguage('migrating', ({ words }) => words);

const programPath = /^\/(api|scan|tenant|payments|images|assets)(\/|$)|^\/admin\/api(\/|$)/i;

/** The page shown on public pages and in the panel while the tenant waits for its migration. Undefined for clients that are programs. */
export function migratingPage(body: ProblemBody, request: Request): ProblemPage | undefined {
  return standalonePage(body, request);
}

/**
 * A page without any other file of the server.
 * @param lines below the heading; without it, the problem's detail, and the page reloads automatically
 */
export function standalonePage(body: ProblemBody, request: Request, lines?: VNode): ProblemPage | undefined {
  const path = request.originalUrl.split('?')[0] ?? '';
  if (programPath.test(path) || !/\btext\/html\b/i.test(request.headers.accept ?? '')) return undefined;
  const language = isLanguage(request.context.language) ? request.context.language : negotiateLanguage(request, undefined);
  const place = request.tenant?.name ?? '';
  // Only GET requests may be repeated.
  const reloads = lines === undefined && request.method === 'GET';
  const html = documentOf(
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        {reloads && <meta http-equiv="refresh" content={String(reloadSeconds)} />}
        <title>
          {body.title} · {place}
        </title>
        <style>
          <SafeHtml html={style} />
        </style>
      </head>
      <body>
        <main>
          <p class="place" dir="auto">
            {place}
          </p>
          <h1>{body.title}</h1>
          {lines ?? <p>{body.detail}</p>}
          {reloads && <p>{words[language].again}</p>}
        </main>
      </body>
    </html>,
  );
  return { html, headers: { 'Content-Security-Policy': policy, Vary: 'Accept-Language, Accept, Cookie' } };
}
