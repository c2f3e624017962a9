import { documentOf, htmlOf, LanguageList, SafeHtml } from '#http';
import { currentRequest, type Language } from '#kernel';
import { categoryHas, type TenantIdentity } from '#tenancy';
import type { ComponentChildren, VNode } from 'preact';
import { assetPath } from '../style/page-assets.js';
import { Pattern } from '../style/pattern.js';
import { facePath, lookPaths, sheetPaths, type PageKind } from '../style/page-sheets.js';
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
  /** The venue's home page, whose main part has its name. */
  readonly isHome?: boolean;
  /** The programme without the name of the venue. */
  readonly isProgramme?: boolean;
  /** The kind of pages, whose style sheets it needs beside the one of all pages. */
  readonly sheet?: PageKind;
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
  isHome = false,
  isProgramme = false,
  address,
  hasScript = false,
  sites = [],
  head,
  sheet,
}: FrameProps): VNode {
  const words = pageWords[language];
  const face = facePath(venue?.typeface);
  return (
    <html lang={language} data-type={venue?.typeface} data-corners={venue?.corners}>
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
        {face !== undefined && <link rel="preload" as="font" type="font/woff2" crossorigin="anonymous" href={face} />}
        {[...sheetPaths(sheet, sites.length > 0), ...lookPaths(venue?.typeface, venue?.accentColour)].map((path) => (
          <link rel="stylesheet" href={path} />
        ))}
        <link rel="stylesheet" href={assetPath('print.css')} media="print" />
        {hasScript && <script src={assetPath('booking.js')} defer />}
        {main.includes(' data-copy="') && <script src={assetPath('share.js')} defer />}
        {main.includes(' data-doubt="') && <script src={assetPath('address.js')} defer />}
        {sites.length > 0 && <meta name="guichet-sites" content={sites.join(' ')} />}
        {head}
        <link rel="icon" type="image/svg+xml" href={assetPath('icon.svg')} />
        <link rel="alternate" type="application/rss+xml" title={tenant.name} href="/agenda.rss" />
        <link rel="alternate" type="text/calendar" title={tenant.name} href="/agenda.ics" />
      </head>
      <body>
        <a class="skip" href="#content">
          {words.skip}
        </a>
        <header class="head">
          <a class="sign display" href="/" dir="auto">
            {venue?.logoImageId ? <Logo imageId={venue.logoImageId} /> : <Pattern name={tenant.name} width={64} height={64} />}
            <span class={isHome ? 'unseen' : undefined}>{tenant.name}</span>
          </a>
          <nav class="nav nav-main" aria-label={words.sections}>
            <a href="/" aria-current={isHome || isProgramme ? 'page' : undefined}>
              {words.programme}
            </a>
            {sectionLinks({ tenant, venue, language, words })}
          </nav>
          {categoryHas(tenant.category, 'ticketing', 'membership') && (
            <nav class="nav" aria-label={words.yours}>
              <a href="/account" rel="nofollow">
                {words.account}
              </a>
            </nav>
          )}
        </header>
        <main id="content" tabindex={-1}>
          <SafeHtml html={main} />
        </main>
        <footer class="foot">
          <div class="foot-columns">
            <VenueContact venue={venue} name={tenant.name} heading={words.contact} />
            <nav aria-label={words.follow}>
              <ul>
                <li>
                  <a href="/agenda.ics">{words.subscribe}</a>
                </li>
                <li>
                  <a href="/agenda.rss">{words.feed}</a>
                </li>
                <Legal venue={venue} words={words} />
              </ul>
            </nav>
            <Languages language={language} words={words} address={address ?? currentRequest()?.address} />
          </div>
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

/** The pages of the venue beside the agenda: what it sells, and itself. Networks have events of others, and sell nothing. */
function sectionLinks({ tenant, venue, language, words }: SectionProps): VNode[] {
  const { category } = tenant;
  const isPaid = venue?.paysOnline && category !== undefined && categoryHas(category, 'ticketing');
  return [
    ...(venue?.hasMemberships && categoryHas(category, 'membership') ? [<a href="/memberships">{words.memberships}</a>] : []),
    ...(venue?.hasGoods && categoryHas(category, 'ticketing') ? [<a href="/shop">{words.shop}</a>] : []),
    ...(isPaid && venue.giftCards != null ? [<a href="/gift-card">{words.giftCards}</a>] : []),
    ...(isPaid && (venue.donations != null || venue.hasCampaigns) ? [<a href="/donate">{words.support}</a>] : []),
    ...(venue?.hasHouse ? [<a href="/house">{houseTitle(tenant, language)}</a>] : []),
  ];
}

function Legal({ venue, words }: Pick<SectionProps, 'venue' | 'words'>): VNode {
  return (
    <>
      {venue?.hasImprint && (
        <li>
          <a href="/imprint">{words.imprint}</a>
        </li>
      )}
      {venue?.hasTerms && (
        <li>
          <a href="/terms">{words.terms}</a>
        </li>
      )}
      {venue?.hasPrivacy && (
        <li>
          <a href="/privacy">{words.privacy}</a>
        </li>
      )}
    </>
  );
}
