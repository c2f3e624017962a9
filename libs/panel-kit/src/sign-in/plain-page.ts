import { languageLinks } from '#http';
import { currentRequest, escapeHtml, type Language } from '#kernel';
import type { PanelAssets } from '../request/panel-assets.js';
import type { PanelRequest } from '../request/panel-request.js';
import { plainWords } from './plain-page.words.js';

/** A page of the panel without AdminJS and without scripts: sign-in, sign-out, errors. */
export interface PlainPage {
  title: string;
  /** HTML below the heading; texts must be escaped already. */
  body: string;
}

/** Renders a plain page in the panel's design. */
export function plainPage(page: PlainPage, request: Pick<PanelRequest, 'language' | 'place'>, assets: PanelAssets): string {
  return `<!doctype html>
<html lang="${request.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · ${escapeHtml(request.place)}</title>
<link rel="icon" type="image/svg+xml" href="${assets.url('favicon.svg')}">
<meta name="theme-color" content="#6b2d5c">
<link rel="stylesheet" href="${assets.url('panel.css')}">
</head>
<body class="gt-plain">
<main class="gt-card">
<p class="gt-brand"><img src="${assets.url('logo.svg')}" alt="" width="40" height="40"> <span>Guichet</span></p>
<h1>${escapeHtml(page.title)}</h1>
${page.body}
</main>
${languageList(request.language)}
</body>
</html>
`;
}

/** Links to the same page in the other languages, each named in itself. */
function languageList(language: Language): string {
  const address = currentRequest()?.address;
  if (address === undefined) return '';
  const items = languageLinks(address, language)
    .map(({ code, name, href }) =>
      href === undefined
        ? `<li><span lang="${code}" aria-current="true">${escapeHtml(name)}</span></li>`
        : `<li><a href="${escapeHtml(href)}" lang="${code}" hreflang="${code}">${escapeHtml(name)}</a></li>`,
    )
    .join('');
  return `<nav class="gt-languages" aria-label="${escapeHtml(plainWords(language).languages)}"><ul>${items}</ul></nav>`;
}
