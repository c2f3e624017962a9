import { iconPaths } from '../parts/icon-paths.js';
import { fillText, type Texts } from '../texts/fill-text.js';
import type { Key } from '../texts/texts.js';

interface GuideOptions {
  readonly language: { readonly code: string; readonly locale: string };
  /** Texts of the language. */
  readonly texts: Texts;
  /** Address of the style sheet. */
  readonly style: string;
  /** The page in the other languages. */
  readonly others: ReadonlyArray<{ readonly code: string; readonly name: string; readonly address: string }>;
}

const verdicts = ['go', 'out', 'ask', 'member', 'stop', 'just'] as const;
const parts = [
  ['guide.before', ['guide.beforeCharge', 'guide.beforePair', 'guide.beforePractise']],
  ['guide.during', ['guide.duringWait', 'guide.duringUnread', 'guide.duringGroup', 'guide.duringUndo', 'guide.duringExit']],
  ['guide.network', ['guide.networkGoOn', 'guide.networkKeep']],
  ['guide.trouble', ['guide.troubleDoubt', 'guide.troubleLost']],
] as const satisfies ReadonlyArray<readonly [Key, readonly Key[]]>;

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * The page for volunteers: what each colour means and what to do, on one sheet of A4. It draws the results as the app does, and needs no
 * script.
 * @returns HTML
 */
export function guidePage({ language: { code, locale }, texts, style, others }: GuideOptions): string {
  const plain = (key: Key): string => fillText(texts, locale, key, {});
  const buttons = {
    admit: plain('actions.admit'),
    refuse: plain('actions.refuse'),
    undo: plain('actions.undo'),
    menu: plain('actions.menu'),
    practice: plain('settings.practice'),
    entry: plain('direction.entry'),
    exit: plain('direction.exit'),
    offline: plain('network.offline'),
    live: plain('network.live'),
  };
  const t = (key: Key): string => escape(fillText(texts, locale, key, buttons));
  const picture = (verdict: (typeof verdicts)[number]): string =>
    `<div class="phone result ${verdict}"><svg viewBox="0 0 24 24" aria-hidden="true">` +
    `<path d="${iconPaths[verdict]}" fill="currentColor"/></svg><strong>${t(`words.${verdict}`)}</strong></div>`;
  const rows = verdicts.map(
    (verdict) => `<li>${picture(verdict)}<p><b>${t(`guide.${verdict}Means`)}</b> ${t(`guide.${verdict}Advice`)}</p></li>`,
  );
  const sections = parts.map(
    ([title, points]) => `<section><h2>${t(title)}</h2><ul>${points.map((point) => `<li>${t(point)}</li>`).join('')}</ul></section>`,
  );
  const links = others.map(({ code: other, name, address }) => `<a href="${address}" lang="${other}" hreflang="${other}">${name}</a>`);
  return `<!doctype html>
<html lang="${code}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${t('guide.title')}</title>
<link rel="icon" href="/door/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
</head>
<body>
<main>
<h1>${t('guide.title')}</h1>
<p>${t('guide.lead')}</p>
<ul class="verdicts">${rows.join('')}</ul>
<div class="sections">${sections.join('')}</div>
</main>
<nav aria-label="${t('settings.language')}">${links.join(' ')}</nav>
</body>
</html>
`;
}
