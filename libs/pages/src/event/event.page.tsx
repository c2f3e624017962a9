import { alterationWords, alteredTitle, eventEnd, eventTimeText, imagePath, variantWidths } from '#catalogue';
import { currentLanguage, escapeForScript, type Language } from '#kernel';
import { SafeHtml } from '#http';
import {
  type PageSummary,
  Address,
  addressLine,
  descriptionHtml,
  descriptionText,
  excerpt,
  pageDocument,
  pageWords,
  Picture,
  sitesOf,
  WayBack,
  When,
} from '#page-kit';
import { tenantUrl } from '#tenancy';
import type { VNode } from 'preact';
import { hostOf } from '../event-lists/event-link.js';
import { kindWords } from '../event-lists/kind-words.js';
import { sharedEvent, sharePath, shareSize } from '../share-pictures/shared-event.js';
import { GoodToKnow } from './event-details.js';
import { eventJsonLd, type EventPageInput } from './event-json-ld.js';
import { Offers, WaitingList } from './event-offers.js';
import { Section } from './section.js';

/** The page of one event. */
export function eventPage(input: EventPageInput): string {
  const { event, isCancelled, venue, tenant, settings, isPreview = false } = input;
  const language = currentLanguage();
  const { name, slug, longDescription } = event;
  const url = tenantUrl(settings, tenant, `/event/${slug}`);
  const picture = pictureOf(input);
  const structured = { image: [picture.url], ...eventJsonLd(input, url) };
  const sites = sitesOf(venue);
  const lead = leadOf(input) || descriptionText((longDescription ?? '').slice(0, 5000));
  return pageDocument({
    tenant,
    language,
    title: `${isCancelled ? pageWords[language].cancelledTitle(name) : alteredTitle(name, event, language)} · ${tenant.name}`,
    main: <Main input={input} language={language} />,
    venue,
    hasScript: input.booking !== undefined || sites.length > 0,
    isWide: hasDeal(input),
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
  const { event, isCancelled, venue, booking, waiting } = input;
  const words = pageWords[language];
  const { name, subtitle, category, longDescription, postalAddress } = event;
  // Where tickets of an order are changed, to that order.
  const order = booking?.form.order;
  const state = stateOf(input, language);
  const lead = leadOf(input);
  const long = descriptionHtml(longDescription ?? '');
  return (
    <>
      <WayBack path={order ?? '/'} label={order === undefined ? words.backToAgenda : words.backToOrder} />
      <article class="show">
        <header>
          <p class="kind">{kindWords(category, language)}</p>
          <h1 dir="auto" class={name.length > 90 ? 'long' : undefined}>
            {name}
          </h1>
          {subtitle && (
            <p class="subtitle" dir="auto">
              {subtitle}
            </p>
          )}
          {lead && (
            <p class="lead" dir="auto">
              {lead}
            </p>
          )}
          {state && <p class="over">{state}</p>}
        </header>
        <div class="practical">
          <Times input={input} language={language} />
          {postalAddress && (
            <Section title={words.where} isHalf>
              <Address address={postalAddress} homeCountry={venue.country} language={language} />
            </Section>
          )}
          <GoodToKnow event={event} language={language} />
        </div>
        {event.image && <Picture image={event.image} />}
        {hasDeal(input) && (
          <div class="practical deal">
            {!isCancelled && <Offers input={input} language={language} />}
            {waiting && <WaitingList form={waiting} isFolded={booking !== undefined} language={language} />}
          </div>
        )}
        {long && (
          <section class="about">
            <h2>{words.about}</h2>
            <div class="prose" dir="auto">
              <SafeHtml html={long} />
            </div>
          </section>
        )}
      </article>
    </>
  );
}

/** Dates and times, with links to more about the event and to its calendar. */
function Times({ input, language }: PartProps): VNode {
  const { event, isCancelled, tenant } = input;
  const words = pageWords[language];
  const more = event.sameAs ?? event.url;
  return (
    <Section title={words.when} isHalf={event.postalAddress !== null}>
      <p>
        <When event={event} language={language} timeZone={tenant.timeZone} />
      </p>
      {more !== null && (
        <p>
          <a class="button" href={more} rel="external">
            {words.moreAt(hostOf(more))} ↗
          </a>
        </p>
      )}
      {!isOver(input) && !isCancelled && (
        <p>
          <a class="button other" href={`/event/${event.slug}.ics`}>
            {words.addToCalendar}
          </a>
        </p>
      )}
    </Section>
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
function hasDeal({ event, prices, isCancelled, waiting }: EventPageInput): boolean {
  return waiting !== undefined || (!isCancelled && (prices.length > 0 || (event.details?.offers ?? []).length > 0));
}

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
