import { documentOf, Dotted, htmlOf, LanguageList, SafeHtml } from '#http';
import { currentRequest, type Language } from '#kernel';
import { categoryHas, type TenantIdentity } from '#tenancy';
import type { ComponentChildren, VNode } from 'preact';
import { accentPath } from '../style/accent-style.js';
import { addressScript, bookingScript, icon, stylesheet } from '../style/page-assets.js';
import { SummaryHead, type PageSummary } from './page-head.js';
import { houseTitle, pageWords, type PageWords } from './pages.words.js';
import { Logo, VenueContact } from './venue-contact.js';
import type { Venue } from './venue.js';

export interface PageFrame {
  readonly tenant: Pick<TenantIdentity, 'name' | 'language' | 'category'>;
  readonly language: Language;
  readonly title: string;
  readonly main: ComponentChildren;
  readonly venue?: Venue;
  /** Without it, the page is not indexed and has no preview. */
  readonly summary?: PageSummary;
  /** Whether the page has forms of a booking, which a script makes more comfortable. */
  readonly hasScript?: boolean;
  /** Origins of other sites on whose pages the page may stand in a frame; its script tells them its height. */
  readonly sites?: readonly string[];
  /** More elements of the head. */
  readonly head?: ComponentChildren;
  /** Set on the venue's home page: its name is the main heading, with the tagline below. */
  readonly home?: { readonly tagline: string };
  /** On a desk the page has a second column. */
  readonly isWide?: boolean;
  /**
   * Path and query of the page, for its links to other languages; default: those of the request. A cached page passes only the parameters
   * that it knows, because other ones may be secrets of one reader.
   */
  readonly address?: string;
}

/** A whole HTML document around the main part of a page. */
export function pageDocument({ main, ...frame }: PageFrame): string {
  // Rendered before the head, which loads the scripts that it needs.
  return documentOf(<Frame {...frame} main={htmlOf(main)} />);
}

type FrameProps = Omit<PageFrame, 'main'> & { readonly main: string };

function Frame({
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
  head,
  isWide,
}: FrameProps): VNode {
  const words = pageWords[language];
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {summary ? (
          <SummaryHead summary={summary} title={title} tenant={tenant} language={language} />
        ) : (
          <meta name="robots" content="noindex" />
        )}
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#faf7f2" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#181318" media="(prefers-color-scheme: dark)" />
        <link rel="stylesheet" href={stylesheet.path} />
        {venue?.accentColour && <link rel="stylesheet" href={accentPath(venue.accentColour)} />}
        {hasScript && <script src={bookingScript.path} defer />}
        {main.includes(' data-doubt="') && <script src={addressScript.path} defer />}
        {sites.length > 0 && <meta name="guichet-sites" content={sites.join(' ')} />}
        {head}
        <link rel="icon" type="image/svg+xml" href={icon.path} />
        <link rel="alternate" type="application/rss+xml" title={tenant.name} href="/agenda.rss" />
        <link rel="alternate" type="text/calendar" title={tenant.name} href="/agenda.ics" />
      </head>
      <body class={isWide ? 'two-columns' : undefined}>
        <a class="skip" href="#content">
          {words.skip}
        </a>
        <header class={home ? 'top home' : 'top'}>
          <p class="venue">
            <a href="/" dir="auto">
              <Logo venue={venue} />
              {tenant.name}
            </a>
          </p>
          {home?.tagline && (
            <p class="tagline" dir="auto">
              {home.tagline}
            </p>
          )}
          <Sections tenant={tenant} venue={venue} language={language} words={words} />
        </header>
        <main id="content" tabindex={-1} class={home && 'agenda'}>
          <SafeHtml html={main} />
        </main>
        <footer class="bottom">
          <VenueContact venue={venue} name={tenant.name} heading={words.contact} />
          <nav aria-label={words.follow}>
            <h2>{words.follow}</h2>
            <ul>
              <li>
                <a href="/agenda.ics">{words.subscribe}</a>
              </li>
              <li>
                <a href="/agenda.rss">{words.feed}</a>
              </li>
            </ul>
          </nav>
          <Languages language={language} words={words} address={address ?? currentRequest()?.address} />
          <Legal tenant={tenant} venue={venue} language={language} words={words} />
          <p class="staff">
            <a href="/admin" rel="nofollow">
              {words.staff}
            </a>
          </p>
        </footer>
      </body>
    </html>
  );
}

interface LanguagesProps {
  readonly language: Language;
  readonly words: PageWords;
  readonly address: string | undefined;
}

/** Links to the same page in the other languages, each named in itself. */
function Languages({ language, words, address }: LanguagesProps): VNode | null {
  if (address === undefined) return null;
  return (
    <nav class="languages" aria-label={words.languages}>
      <LanguageList address={address} current={language} rel="nofollow" />
    </nav>
  );
}

interface SectionProps {
  readonly tenant: PageFrame['tenant'];
  readonly venue: Venue | undefined;
  readonly language: Language;
  readonly words: PageWords;
}

/** The pages of the venue beside the agenda: what it sells, itself, and the account. Networks have events of others, and sell nothing. */
function sectionLinks({ tenant, venue, language, words }: SectionProps): VNode[] {
  const { category } = tenant;
  return [
    ...(venue?.hasMemberships && categoryHas(category, 'membership') ? [<a href="/memberships">{words.memberships}</a>] : []),
    ...(venue?.hasGoods && categoryHas(category, 'ticketing') ? [<a href="/shop">{words.shop}</a>] : []),
    ...(venue?.hasHouse ? [<a href="/house">{houseTitle(tenant, language)}</a>] : []),
    ...(categoryHas(category, 'ticketing', 'membership')
      ? [
          <a href="/account" rel="nofollow">
            {words.account}
          </a>,
        ]
      : []),
  ];
}

function Sections(props: SectionProps): VNode | null {
  const links = sectionLinks(props);
  return links.length === 0 ? null : (
    <nav class="sections" aria-label={props.words.sections}>
      {links}
    </nav>
  );
}

function Legal(props: SectionProps): VNode | null {
  const { venue, words } = props;
  const links = [
    ...sectionLinks(props),
    ...(venue?.hasImprint ? [<a href="/imprint">{words.imprint}</a>] : []),
    ...(venue?.hasTerms ? [<a href="/terms">{words.terms}</a>] : []),
  ];
  return links.length === 0 ? null : (
    <p class="legal">
      <Dotted facts={links} />
    </p>
  );
}
