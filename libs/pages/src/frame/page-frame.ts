import { imagePath } from '#catalogue';
import { addressIn, languageItems } from '#http';
import { currentLanguage, currentRequest, dotted, escapeHtml, languages, localeOf, type Language } from '#kernel';
import { categoryHas, type TenantIdentity } from '#tenancy';
import { accentPath } from '../style/accent-style.js';
import { addressScript, bookingScript, icon, stylesheet } from '../style/page-assets.js';
import { pageWords, type PageWords } from './pages.words.js';
import type { Venue } from '../public-events/public-events.service.js';

/** Metadata of an indexed page for search engines and link previews. */
export interface PageSummary {
  /** In the language of the tenant; the other languages are at the same address with a parameter. */
  readonly canonical: string;
  /** The page is one of another site: it has no languages here. */
  readonly isElsewhere?: boolean;
  readonly description: string;
  /** Its image: absolute URL, size in pixels. */
  readonly picture?: { readonly url: string; readonly width: number; readonly height: number };
  /** JSON that is safe inside a script element. */
  readonly structured?: string;
}

export interface PageFrame {
  readonly tenant: Pick<TenantIdentity, 'name' | 'language' | 'category'>;
  readonly language: Language;
  readonly title: string;
  /** HTML of the main part, already escaped. */
  readonly main: string;
  readonly venue?: Venue;
  /** Without it, the page is not indexed and has no preview. */
  readonly summary?: PageSummary;
  /** Whether the page has forms of a booking, which a script makes more comfortable. */
  readonly hasScript?: boolean;
  /** Origins of other sites on whose pages the page may stand in a frame; its script tells them its height. */
  readonly sites?: readonly string[];
  /** More elements of the head; HTML. */
  readonly head?: string;
  /** Set on the venue's home page: its name is the main heading, with the tagline below. */
  readonly home?: { readonly tagline: string };
  /**
   * Path and query of the page, for its links to other languages; default: those of the request. A cached page passes only the parameters
   * that it knows, because other ones may be secrets of one reader.
   */
  readonly address?: string;
}

/** A whole HTML document around the main part of a page. */
export function pageFrame({
  tenant,
  language,
  title,
  main,
  venue,
  summary,
  home,
  address,
  hasScript = false,
  sites = [],
  head = '',
}: PageFrame): string {
  const words = pageWords[language];
  const staff = `<p class="staff"><a href="/admin" rel="nofollow">${escapeHtml(words.staff)}</a></p>`;
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
${summary ? summaryHead(summary, title, tenant, language) : '<meta name="robots" content="noindex">'}
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#faf7f2" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#181318" media="(prefers-color-scheme: dark)">
<link rel="stylesheet" href="${stylesheet.path}">
${accentHead(venue)}${scripts(main, hasScript)}${sitesHead(sites)}${head}${iconLink}
<link rel="alternate" type="application/rss+xml" title="${escapeHtml(tenant.name)}" href="/agenda.rss">
<link rel="alternate" type="text/calendar" title="${escapeHtml(tenant.name)}" href="/agenda.ics">
</head>
<body>
<a class="skip" href="#content">${escapeHtml(words.skip)}</a>
<header class="top${home ? ' home' : ''}">
<p class="venue"><a href="/" dir="auto">${logo(venue)}${escapeHtml(tenant.name)}</a></p>
${home?.tagline ? `<p class="tagline" dir="auto">${escapeHtml(home.tagline)}</p>\n` : ''}${sections(tenant, venue, words)}</header>
<main id="content" tabindex="-1"${home ? ' class="agenda"' : ''}>
${main}
</main>
<footer class="bottom">
${contact(venue, tenant.name, words.contact)}
<nav aria-label="${escapeHtml(words.follow)}">
<h2>${escapeHtml(words.follow)}</h2>
<ul>
<li><a href="/agenda.ics">${escapeHtml(words.subscribe)}</a></li>
<li><a href="/agenda.rss">${escapeHtml(words.feed)}</a></li>
</ul>
</nav>
${languageLinks(language, words, address)}${legal(tenant, venue, words)}${staff}
</footer>
</body>
</html>
`;
}

/** The script of the forms, and one for their e-mail addresses. */
function scripts(main: string, hasScript: boolean): string {
  const needed = [...(hasScript ? [bookingScript] : []), ...(main.includes(' data-doubt="') ? [addressScript] : [])];
  return needed.map(({ path }) => `<script src="${path}" defer></script>\n`).join('');
}

const iconLink = `<link rel="icon" type="image/svg+xml" href="${icon.path}">`;

function accentHead(venue: Venue | undefined): string {
  return venue?.accentColour ? `<link rel="stylesheet" href="${accentPath(venue.accentColour)}">\n` : '';
}

function sitesHead(sites: readonly string[]): string {
  return sites.length === 0 ? '' : `<meta name="guichet-sites" content="${escapeHtml(sites.join(' '))}">\n`;
}

function summaryHead(summary: PageSummary, title: string, tenant: PageFrame['tenant'], language: Language): string {
  const meta = (attribute: string, name: string, content: string): string =>
    `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`;
  const { canonical, description, picture, structured, isElsewhere = false } = summary;
  // Depends on the language only, because the same page answers with and without the parameter.
  const addressOf = (code: Language): string => (isElsewhere || code === tenant.language ? canonical : addressIn(canonical, code));
  const alternates = languages.map((code) => [code, addressOf(code)] as const);
  return [
    ...(description ? [meta('name', 'description', description)] : []),
    `<link rel="canonical" href="${escapeHtml(addressOf(language))}">`,
    ...(isElsewhere ? [] : [...alternates, ['x-default', canonical] as const]).map(
      ([code, address]) => `<link rel="alternate" hreflang="${code}" href="${escapeHtml(address)}">`,
    ),
    meta('property', 'og:type', 'website'),
    meta('property', 'og:site_name', tenant.name),
    meta('property', 'og:locale', localeOf(language).replace('-', '_')),
    meta('property', 'og:title', title),
    meta('property', 'og:url', canonical),
    ...(description ? [meta('property', 'og:description', description)] : []),
    ...(picture
      ? [
          meta('property', 'og:image', picture.url),
          meta('property', 'og:image:width', String(picture.width)),
          meta('property', 'og:image:height', String(picture.height)),
          meta('name', 'twitter:image', picture.url),
        ]
      : []),
    meta('name', 'twitter:card', picture ? 'summary_large_image' : 'summary'),
    meta('name', 'twitter:title', title),
    ...(description ? [meta('name', 'twitter:description', description)] : []),
    ...(structured ? [`<script type="application/ld+json">${structured}</script>`] : []),
  ].join('\n');
}

function contact(venue: Venue | undefined, name: string, heading: string): string {
  const town = [venue?.postalCode, venue?.city].filter(Boolean).join(' ');
  const lines = [
    ...[venue?.streetAddress, town].filter((line) => !!line).map((line) => escapeHtml(line as string)),
    phoneLink(venue?.phone),
    venue?.email && /^[^\s@]+@[^\s@]+$/.test(venue.email) ? link(`mailto:${encodeURI(venue.email)}`, venue.email) : '',
    websiteLink(venue?.website),
  ].filter((line) => line !== '');
  const links = linksOf(venue);
  if (lines.length === 0 && links.length === 0) return '';
  return `<section aria-label="${escapeHtml(heading)}">
<h2 dir="auto">${escapeHtml(name)}</h2>
<address dir="auto">${lines.join('<br>\n')}</address>
${links.length > 0 ? `<ul class="links">${links.map((one) => `<li>${one}</li>`).join('')}</ul>\n` : ''}${map(venue)}</section>`;
}

const link = (href: string, text: string): string => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;

function phoneLink(phone: string | null | undefined): string {
  if (!phone) return '';
  const digits = phone.replace(/[^\d+]/g, '');
  return digits === '' ? escapeHtml(phone) : link(`tel:${digits}`, phone);
}

/** Only http and https URLs become links. */
function websiteLink(website: string | null | undefined): string {
  if (!website || !/^https?:\/\//i.test(website) || !URL.canParse(website)) return escapeHtml(website ?? '');
  return link(website, website.replace(/^https?:\/\//i, '').replace(/\/$/, ''));
}

const isWeb = (address: string | null | undefined): address is string =>
  !!address && /^https?:\/\//i.test(address) && URL.canParse(address);

/** Decorative beside the name, so its alternative text is empty. */
function logo(venue: Venue | undefined): string {
  return venue?.logoImageId ? `<img class="logo" src="${imagePath(venue.logoImageId, 'thumbnail')}" height="48" alt="">` : '';
}

/** The venue's links to other sites. */
function linksOf(venue: Venue | undefined): string[] {
  const words = pageWords[currentLanguage()];
  const named = [
    ['Twitter / X', venue?.twitter],
    ['Facebook', venue?.facebook],
    ['Instagram', venue?.instagram],
    [words.menu, venue?.restaurantMenu],
    [words.legalDocuments, venue?.legalDocuments],
  ] as const;
  return named.flatMap(([text, address]) =>
    isWeb(address) ? [`<a href="${escapeHtml(address)}" rel="noopener">${escapeHtml(text)}</a>`] : [],
  );
}

function map(venue: Venue | undefined): string {
  if (!venue?.mapImageId) return '';
  const words = pageWords[currentLanguage()];
  return (
    `<p><a href="${imagePath(venue.mapImageId, 'fhd')}"><img class="map" src="${imagePath(venue.mapImageId, 'med')}" loading="lazy" ` +
    `alt="${escapeHtml(words.accessMap)}"></a></p>\n`
  );
}

/** Links to the same page in the other languages, each named in itself. */
function languageLinks(language: Language, words: PageWords, address = currentRequest()?.address): string {
  if (address === undefined) return '';
  const items = languageItems(address, language, ' rel="nofollow"').join('\n');
  return `<nav class="languages" aria-label="${escapeHtml(words.languages)}">\n<ul>\n${items}\n</ul>\n</nav>\n`;
}

/** The pages of the venue beside the agenda: what it sells, and the account. Networks have events of others, and sell nothing. */
function sectionLinks({ category }: PageFrame['tenant'], venue: Venue | undefined, words: PageWords): string[] {
  return [
    ...(venue?.hasMemberships && categoryHas(category, 'membership') ? [link('/memberships', words.memberships)] : []),
    ...(venue?.hasGoods && categoryHas(category, 'ticketing') ? [link('/shop', words.shop)] : []),
    ...(categoryHas(category, 'ticketing', 'membership') ? [`<a href="/account" rel="nofollow">${escapeHtml(words.account)}</a>`] : []),
  ];
}

function sections(tenant: PageFrame['tenant'], venue: Venue | undefined, words: PageWords): string {
  const links = sectionLinks(tenant, venue, words);
  if (links.length === 0) return '';
  return `<nav class="sections" aria-label="${escapeHtml(words.sections)}">${links.join('\n')}</nav>\n`;
}

function legal(tenant: PageFrame['tenant'], venue: Venue | undefined, words: PageWords): string {
  const links = [
    ...sectionLinks(tenant, venue, words),
    ...(venue?.hasImprint ? [link('/imprint', words.imprint)] : []),
    ...(venue?.hasTerms ? [link('/terms', words.terms)] : []),
  ];
  return links.length > 0 ? `<p class="legal">${dotted(links)}</p>\n` : '';
}
