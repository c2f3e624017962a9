import { documentOf, SafeHtml } from '#http';
import { currency, escapeForScript, languageFacts, languageNames, languages, localeOf, plainClockOf } from '#kernel';
import type { PanelAssets } from '../request/panel-assets.js';
import type { PanelRequest } from '../request/panel-request.js';
import { supportBanner } from '../sign-in/support.page.js';
import type { PanelFacts } from './panel-facts.js';
import { plainWords } from '../sign-in/plain-page.words.js';

/** Matches state and theme in the page that AdminJS renders; each is one line of JSON. */
const STATE = /window\.REDUX_STATE = ([^\n]*);\n\s*window\.THEME = ([^\n]*);\n/;

const SCRIPTS = ['global.bundle.js', 'design-system.bundle.js', 'app.bundle.js', 'passkeys.js', 'components.bundle.js', 'boot.js'];

/** Data of a page that AdminJS does not render. */
export interface PanelPageContext {
  request: PanelRequest;
  assets: PanelAssets;
  nonce: string;
  /** Translations in the request's language. */
  translations: Record<string, unknown>;
  /** Whether the server sends mails. */
  isMailed: boolean;
}

/**
 * Renders our own HTML document with the state that AdminJS computed. AdminJS's page loads a font from another host, prints the state
 * unescaped (including texts that staff or buyers typed) and uses one language per instance, so only its state and theme are used.
 * @param rendered the page as AdminJS renders it
 * @throws Error when AdminJS's page has another structure, for example after an upgrade
 */
export function panelPage(rendered: string, { request, assets, nonce, translations, isMailed }: PanelPageContext): string {
  const found = STATE.exec(rendered);
  if (!found?.[1] || !found[2]) throw new Error('The state was not found in the page that AdminJS rendered');
  const { language, place, timeZone, banner, support } = request;
  const words = plainWords(language);
  const names = languageNames(language);
  const computed: Record<string, unknown> = JSON.parse(found[1]);
  const state = {
    ...computed,
    locale: { language, availableLanguages: [language], translations: { [language]: translations } },
  };
  const ours: PanelFacts = {
    place,
    timeZone,
    language,
    locale: localeOf(language),
    clock: plainClockOf(language),
    currency,
    languages: languages.map((code) => ({ code, label: names[code], name: languageFacts[code].name })),
    logo: assets.url('logo.svg'),
    isMailed,
    ...(banner && { banner }),
    ...(support && { support: supportBanner(support, language, timeZone) }),
  };
  const script = [
    `window.__webpack_nonce__ = ${JSON.stringify(nonce)};`,
    `window.GUICHET = ${escapeForScript(JSON.stringify(ours))};`,
    `window.REDUX_STATE = ${escapeForScript(JSON.stringify(state))};`,
    `window.THEME = ${escapeForScript(found[2])};`,
    'window.THEME_COMPONENTS = {};',
    'window.AdminJS = { Components: {} };',
  ].join('\n');
  return documentOf(
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{place} · Guichet</title>
        <link rel="icon" type="image/svg+xml" href={assets.url('favicon.svg')} />
        <meta name="theme-color" content="#6b2d5c" />
        <link rel="stylesheet" href={assets.url('panel.css')} />
        <script nonce={nonce}>
          <SafeHtml html={script} />
        </script>
        {SCRIPTS.map((name) => (
          <script defer src={assets.url(name)} />
        ))}
      </head>
      <body>
        <div id="app">
          <p class="gt-boot" role="status">
            <img src={assets.url('logo.svg')} alt="" width={56} height={56} />
            {words.loading}
          </p>
        </div>
        <noscript>
          <p class="gt-boot">{words.noScript}</p>
        </noscript>
      </body>
    </html>,
  );
}
