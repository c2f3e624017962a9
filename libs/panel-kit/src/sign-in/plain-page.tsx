import { documentOf, LanguageList } from '#http';
import { currentRequest, type Language } from '#kernel';
import type { ComponentChildren, VNode } from 'preact';
import type { PanelAssets } from '../request/panel-assets.js';
import type { PanelRequest } from '../request/panel-request.js';
import { plainWords } from './plain-page.words.js';

/** A page of the panel without AdminJS and, but for passkeys, without scripts: sign-in, sign-out, errors. */
export interface PlainPage {
  title: string;
  /** What is below the heading. */
  body: ComponentChildren;
  /** It needs the width of a desk. */
  isWide?: boolean;
  /** It has a {@link PasskeyForm}. */
  hasPasskeys?: boolean;
  /** The browser asks for it again after so many seconds. */
  refreshSeconds?: number;
}

/** Renders a plain page in the panel's design. */
export function plainPage(page: PlainPage, request: Pick<PanelRequest, 'language' | 'place'>, assets: PanelAssets): string {
  return documentOf(
    <html lang={request.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>
          {page.title} · {request.place}
        </title>
        <link rel="icon" type="image/svg+xml" href={assets.url('favicon.svg')} />
        <meta name="theme-color" content="#6b2d5c" />
        <link rel="stylesheet" href={assets.url('panel.css')} />
        {page.hasPasskeys && <script defer src={assets.url('passkeys.js')} />}
        {page.refreshSeconds !== undefined && <meta http-equiv="refresh" content={String(page.refreshSeconds)} />}
      </head>
      <body class="gt-plain">
        <main class={page.isWide ? 'gt-card gt-card-wide' : 'gt-card'}>
          <p class="gt-brand">
            <img src={assets.url('logo.svg')} alt="" width={40} height={40} /> <span>Guichet</span>
          </p>
          <h1>{page.title}</h1>
          {page.body}
        </main>
        <Languages language={request.language} />
      </body>
    </html>,
  );
}

/** Links to the same page in the other languages, each named in itself. */
function Languages({ language }: { readonly language: Language }): VNode | null {
  const address = currentRequest()?.address;
  if (address === undefined) return null;
  return (
    <nav class="gt-languages" aria-label={plainWords(language).languages}>
      <LanguageList address={address} current={language} />
    </nav>
  );
}
