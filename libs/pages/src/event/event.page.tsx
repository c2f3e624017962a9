import { alterationWords, alteredTitle, eventEnd, eventTimeText, imagePath, variantWidths } from '#catalogue';
import { currentLanguage, escapeForScript, type Language } from '#kernel';
import { Dotted, SafeHtml } from '#http';
import {
  type PageSummary,
  Address,
  addressLine,
  descriptionHtml,
  descriptionText,
  DoorsNote,
  excerpt,
  fitsLargeDate,
  Gallery,
  type HeldOrder,
  heldWords,
  Hours,
  LargeDate,
  pageDocument,
  pageWords,
  Pattern,
  Picture,
  placeLine,
  ShareLinks,
  sitesOf,
  WayBack,
  When,
} from '#page-kit';
import { tenantUrl } from '#tenancy';
import type { VNode } from 'preact';
import { hostOf } from '../event-lists/event-link.js';
import { kindWords } from '../event-lists/kind-words.js';
import { sharedEvent, sharePath, shareSize } from '../share-pictures/shared-event.js';
import { Card } from '../ticket-forms/card.js';
import { bookingWords } from '../ticket-forms/booking.words.js';
import { GoodToKnow } from './event-details.js';
import { eventJsonLd, type EventPageInput } from './event-json-ld.js';
import { asksForCode, CodeEntry, Offers, WaitingList } from './event-offers.js';
import { Others } from './other-events.js';
import { hasSeriesDays, SeriesDays } from './series-days.js';
import { patternWords, seriesWords } from './series.words.js';

/** The page of one event. */
export function eventPage(input: EventPageInput): string {
  const { event, isCancelled, venue, tenant, settings, isPreview = false } = input;
  const language = currentLanguage();
  const { name, slug, longDescription } = event;
  const url = tenantUrl(settings, tenant, `/event/${slug}`);
  const picture = pictureOf(input);
  const title = isCancelled ? pageWords[language].cancelledTitle(name) : alteredTitle(name, event, language, tenant.timeZone);
  const structured = { image: [picture.url], ...eventJsonLd(input, url) };
  const sites = sitesOf(venue);
  const lead = leadOf(input) || descriptionText((longDescription ?? '').slice(0, 5000));
  return pageDocument({
    tenant,
    language,
    title: `${title} · ${tenant.name}`,
    main: <Main input={input} language={language} />,
    venue,
    hasScript: input.booking !== undefined || sites.length > 0,
    sheet: 'event',
    sites,
    ...(!isPreview && {
      summary: {
        canonical: event.sameAs ?? url,
        isElsewhere: event.sameAs !== null,
        description: summaryOf(input, lead, language, tenant.timeZone),
        picture,
        structured: escapeForScript(JSON.stringify(structured)),
      },
    }),
  });
}

interface PartProps {
  readonly input: EventPageInput;
  readonly language: Language;
}

function Main({ input, language }: PartProps): VNode {
  const { event, venue, booking, waiting, isCancelled } = input;
  const words = pageWords[language];
  const { name, subtitle, category, longDescription, postalAddress } = event;
  // Where tickets of an order are changed, to that order.
  const order = booking?.form.order;
  const state = stateOf(input, language);
  const lead = leadOf(input);
  const long = descriptionHtml(longDescription ?? '');
  const pattern = patternWords(input.series?.dates ?? [], { now: input.now, language, timeZone: input.tenant.timeZone });
  return (
    <article class="event">
      <header class="event-head">
        {order !== undefined && <WayBack path={order} label={words.backToOrder} />}
        <p class="caps">
          <Dotted facts={[...(order === undefined ? [<a href="/">{words.programme}</a>] : []), kindWords(category, language)]} />
        </p>
        <h1 dir="auto" class={name.length > 90 ? 'long' : undefined}>
          {name}
        </h1>
        {subtitle && (
          <p class="subtitle" dir="auto">
            {subtitle}
          </p>
        )}
        {isCancelled && (
          <p>
            <span class="stamp stamp-large stamp-bad display">{words.cancelledShort}</span>
          </p>
        )}
        {state && <p class="notice">{state}</p>}
        {pattern && <p class="lead">{pattern}</p>}
        <Times input={input} language={language} />
      </header>
      <div class="event-story flow">
        {event.image ? (
          <div class="event-art">
            <Picture image={event.image} />
          </div>
        ) : (
          <div class="event-art event-pattern">
            <Pattern name={name} width={640} height={160} />
          </div>
        )}
        {lead && (
          <p class="lead" dir="auto">
            {lead}
          </p>
        )}
      </div>
      {hasDeal(input) && (
        <div class="side">
          <div class="deal">
            {!isCancelled && (input.held ? <OwnHold held={input.held} /> : <Offers input={input} language={language} />)}
            <CodeEntry input={input} language={language} />
            {hasOnlyDates(input) && (
              <Card title={seriesWords[language].chooseDate} dates={<SeriesDays input={input} language={language} />} isWhole />
            )}
            {!input.held && waiting && (
              <WaitingList form={waiting} isFolded={booking !== undefined} hasPrivacy={venue.hasPrivacy === true} language={language} />
            )}
          </div>
        </div>
      )}
      <section class="event-more flow">
        {long && (
          <>
            <h2>{words.about}</h2>
            <div class="prose" dir="auto">
              <SafeHtml html={long} />
            </div>
          </>
        )}
        <GoodToKnow event={event} language={language} />
        {postalAddress && (
          <>
            <h2 id="place">{words.where}</h2>
            <Address address={postalAddress} homeCountry={venue.country} language={language} />
          </>
        )}
        <Gallery pictures={input.gallery} heading={words.pictures} />
        <Keeping input={input} language={language} />
      </section>
      <Others input={input} language={language} />
    </article>
  );
}

/** In place of the prices: the tickets that the reader holds, which may be the last ones. */
function OwnHold({ held }: { readonly held: HeldOrder }): VNode {
  const words = pageWords[currentLanguage()];
  return (
    <>
      <section class="ticket" id="tickets" tabindex={-1}>
        <div class="ticket-title line">
          <h2>{words.yourOrder}</h2>
        </div>
        <p class="ticket-note">{heldWords(held)}</p>
      </section>
      <div class="stub">
        <a class="button button-wide" href={held.path}>
          {bookingWords[currentLanguage()].book}
        </a>
      </div>
    </>
  );
}

/** The day set large, the times, and where. An event of several days, or one that was altered, has its dates in words. */
function Times({ input, language }: PartProps): VNode {
  const { event, tenant, now } = input;
  const { timeZone } = tenant;
  const { startsAt, postalAddress } = event;
  const isShort = fitsLargeDate(event, timeZone);
  return (
    <div class="event-when">
      {event.alteration !== 'postponed' && <LargeDate startsAt={startsAt} now={now} language={language} timeZone={timeZone} />}
      <p class="line">
        <span>
          {isShort ? (
            <>
              <b class="number">
                <Hours event={event} now={new Date(0)} language={language} timeZone={timeZone} />
              </b>
              <DoorsNote event={event} language={language} timeZone={timeZone} />
            </>
          ) : (
            <When event={event} language={language} timeZone={timeZone} tellsHolders />
          )}
        </span>{' '}
        {postalAddress && (
          <a href="#place" dir="auto">
            {placeLine(postalAddress)}
          </a>
        )}
      </p>
    </div>
  );
}

/** Calendar, ways to pass the event on without scripts of others, and its page at another site. */
function Keeping({ input, language }: PartProps): VNode | null {
  const { event, isCancelled, isPreview, settings, tenant } = input;
  const words = pageWords[language];
  const more = event.sameAs ?? event.url;
  const isComing = !isOver(input) && !isCancelled && !isPreview;
  if (more === null && !isComing) return null;
  return (
    <>
      <h2>{words.keep}</h2>
      <p class="share">
        {more !== null && (
          <a href={more} rel="external">
            {words.moreAt(hostOf(more))} ↗
          </a>
        )}
        {isComing && (
          <>
            <a href={`/event/${event.slug}.ics`}>{words.addToCalendar}</a>
            <ShareLinks event={event} url={tenantUrl(settings, tenant, `/event/${event.slug}`)} />
          </>
        )}
      </p>
    </>
  );
}

/** What visitors must know before everything else: a preview, cancelled, over; empty otherwise. */
function stateOf(input: EventPageInput, language: Language): string {
  const words = pageWords[language];
  if (input.isPreview) return input.event.published ? words.previewPrivate : words.preview;
  if (input.isCancelled) return words.cancelled;
  return isOver(input) ? words.over : '';
}

const isOver = ({ event, settings, now }: EventPageInput): boolean => eventEnd(event, settings) < now;

/** Whether something is offered: on a desk it stands beside the story. */
function hasDeal(input: EventPageInput): boolean {
  return input.waiting !== undefined || hasOffers(input) || hasSeriesDays(input) || asksForCode(input);
}

const hasOffers = ({ event, prices, isCancelled }: EventPageInput): boolean =>
  !isCancelled && (prices.length > 0 || (event.details?.offers ?? []).length > 0);

/** Whether the dates of the series have a card of their own, because no other one begins with them. */
const hasOnlyDates = (input: EventPageInput): boolean => hasSeriesDays(input) && (input.held !== undefined || !hasOffers(input));

/** The short description as text. */
const leadOf = ({ event }: EventPageInput): string => descriptionText(event.shortDescription ?? '');

/** The event's own picture, or the one that is drawn for link previews. */
function pictureOf({ event, venue, tenant, settings }: EventPageInput): NonNullable<PageSummary['picture']> {
  const { image } = event;
  if (!image) return { url: tenantUrl(settings, tenant, sharePath(event.slug, sharedEvent({ event, venue }, tenant))), ...shareSize };
  const width = Math.min(image.width, variantWidths.fhd);
  const url = tenantUrl(settings, tenant, imagePath(image.id, 'fhd', image.kind));
  return { url, width, height: Math.round((image.height * width) / image.width) };
}

/** Summary of an event for link previews: when, where, subtitle, and the beginning of the description. */
function summaryOf({ event, isCancelled }: EventPageInput, text: string, language: Language, timeZone: string): string {
  const state = isCancelled ? pageWords[language].cancelled : alterationWords(event, language, timeZone);
  const facts = [state, eventTimeText(event, language, timeZone), addressLine(event.postalAddress), event.subtitle, text];
  return excerpt(facts.filter(Boolean).join(' — '), 300);
}
