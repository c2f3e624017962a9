import { mostUnpaid } from '#tickets';
import { alterationWords, alteredTitle, eventEnd, imagePath, variantWidths } from '#catalogue';
import { costsNothing, currentLanguage, escapeForScript, escapeHtml, type Language, whenText } from '#kernel';
import { usualFewLeft } from '#places';
import { tenantUrl } from '#tenancy';
import {
  type PageSummary,
  type PageWords,
  addressHtml,
  addressLine,
  descriptionHtml,
  descriptionText,
  excerpt,
  pageFrame,
  pageWords,
  pictureHtml,
  sitesOf,
  whenHtml,
} from '#page-kit';
import { bookingFormHtml } from './booking-form.html.js';
import { eventJsonLd, type EventPageInput } from './event-json-ld.js';
import { hostOf } from '../event-lists/event-link.js';
import { sharedEvent, sharePath, shareSize } from '../share-pictures/shared-event.js';
import { detailsHtml, doorsHtml, statedOffersHtml } from './event-details.html.js';
import { pricesHtml } from './prices-html.js';
import { waitingFormHtml, type WaitingForm } from './waiting-form.html.js';
import { waitingFormWords } from './waiting-form.words.js';
import { kindWords } from '../event-lists/kind-words.js';

/** The page of one event. */
export function eventPage(input: EventPageInput): string {
  const { event, isCancelled, venue, tenant, settings, now, isPreview = false } = input;
  const language = currentLanguage();
  const words = pageWords[language];
  const { name, subtitle, slug, category, shortDescription, longDescription, postalAddress } = event;
  const short = descriptionText(shortDescription ?? '');
  const long = descriptionHtml(longDescription ?? '');
  const isOver = eventEnd(event, settings) < now;
  const known = event.details ? detailsHtml(event.details, language) : '';
  const more = event.sameAs ?? event.url;
  const url = tenantUrl(settings, tenant, `/event/${slug}`);
  const picture = pictureOf(input);
  const structured = { image: [picture.url], ...eventJsonLd(input, url) };
  const sites = sitesOf(venue);
  const previewState = event.published ? words.previewPrivate : words.preview;
  const state = isPreview ? previewState : isCancelled ? words.cancelled : isOver ? words.over : '';
  const lead = short ? `<p class="lead" dir="auto">${escapeHtml(short)}</p>` : '';
  const main = `${backHtml(input, words)}
<article>
<header>
<p class="kind">${escapeHtml(kindWords(category, language))}</p>
<h1 dir="auto"${name.length > 90 ? ' class="long"' : ''}>${escapeHtml(name)}</h1>
${subtitle ? `<p class="subtitle" dir="auto">${escapeHtml(subtitle)}</p>\n` : ''}${lead}
${state ? `<p class="over">${escapeHtml(state)}</p>` : ''}
</header>
${event.image ? `${pictureHtml(event.image)}\n` : ''}<div class="practical">
<section${postalAddress ? '' : ' class="wide"'}>
<h2>${escapeHtml(words.when)}</h2>
<p>${whenHtml(event, language, tenant.timeZone)}</p>
${doorsHtml(event, language, tenant.timeZone)}
${more === null ? '' : `<p><a class="button" href="${escapeHtml(more)}" rel="external">${escapeHtml(words.moreAt(hostOf(more)))} ↗</a></p>`}
${isOver || isCancelled ? '' : calendarHtml(slug, words.addToCalendar)}
</section>
${postalAddress ? section(words.where, addressHtml(postalAddress, venue.country, language), '') : ''}
${known ? section(words.goodToKnow, known, '') : ''}
${isCancelled ? '' : offersHtml(input, language)}
${input.waiting ? waitingHtml(input, input.waiting, language) : ''}
</div>
${long ? `<section class="about"><h2>${escapeHtml(words.about)}</h2>\n<div class="prose" dir="auto">${long}</div></section>` : ''}
</article>`;
  return pageFrame({
    tenant,
    language,
    title: `${isCancelled ? words.cancelledTitle(name) : alteredTitle(name, event, language)} · ${tenant.name}`,
    main,
    venue,
    hasScript: input.booking !== undefined || sites.length > 0,
    sites,
    ...(!isPreview && {
      summary: {
        canonical: event.sameAs ?? url,
        isElsewhere: event.sameAs !== null,
        description: summaryOf(input, short || descriptionText((longDescription ?? '').slice(0, 5000)), language, tenant.timeZone),
        picture,
        structured: escapeForScript(JSON.stringify(structured)),
      },
    }),
  });
}

/** To the agenda; where tickets of an order are changed, to that order. */
function backHtml({ booking }: EventPageInput, words: PageWords): string {
  const order = booking?.form.order;
  const label = order === undefined ? words.backToAgenda : words.backToOrder;
  return `<p class="back"><a href="${escapeHtml(order ?? '/')}">← ${escapeHtml(label)}</a></p>`;
}

function calendarHtml(slug: string, label: string): string {
  return `<p><a class="button other" href="/event/${escapeHtml(slug)}.ics">${escapeHtml(label)}</a></p>`;
}

/** The event's own picture, or the one that is drawn for link previews. */
function pictureOf({ event, venue, tenant, settings }: EventPageInput): NonNullable<PageSummary['picture']> {
  const { image } = event;
  if (!image) return { url: tenantUrl(settings, tenant, sharePath(event.slug, sharedEvent({ event, venue }, tenant))), ...shareSize };
  const width = Math.min(image.width, variantWidths.fhd);
  const url = tenantUrl(settings, tenant, imagePath(image.id, 'fhd', image.kind));
  return { url, width, height: Math.round((image.height * width) / image.width) };
}

/** Prices, and whether volunteers can still sign up; a form where something can be booked. */
function offersHtml(input: EventPageInput, language: Language): string {
  const { event, prices, settings, now, tenant } = input;
  const words = pageWords[language];
  const sold = prices.filter(({ volunteering }) => !volunteering);
  const slot = prices.find(({ volunteering }) => volunteering);
  const stated = event.details?.offers ?? [];
  const state = slot?.soldOut ? words.slotFull : words.slotOpen;
  // One form for everything: volunteers book beside goods that are sold for the slot.
  const form = formHtml(input, language);
  return [
    slot && eventEnd(event, settings) >= now
      ? section(words.volunteering, `<p>${escapeHtml(state)}</p>${sold.length === 0 && form ? `\n${form}` : ''}`)
      : '',
    sold.length > 0 ? section(words.prices, form ?? pricesHtml(sold, language, tenant.timeZone)) : '',
    prices.length === 0 && stated.length > 0 ? section(words.prices, statedOffersHtml(stated, language), '') : '',
  ].join('');
}

function formHtml({ event, prices, venue, tenant, booking, visitor }: EventPageInput, language: Language): string | undefined {
  if (!booking) return undefined;
  const options = event.options.filter(({ published }) => published);
  // An event that costs nothing has a maximum of its own.
  const isFree = prices.every(({ admits, amount, freeAmount }) => !admits || (costsNothing(amount) && !freeAmount));
  const maxPerUser = event.maxPerUser ?? (isFree && prices.some(({ admits }) => admits) ? mostUnpaid : null);
  const { form, canPay } = booking;
  const { timeZone } = tenant;
  const { fewLeft = usualFewLeft } = venue;
  const page = `/event/${event.slug}`;
  return bookingFormHtml({ prices, options, maxPerUser, canPay, timeZone, fewLeft, page, visitor }, form, language);
}

/** Folded away while something else can be booked. */
function waitingHtml({ booking }: EventPageInput, form: WaitingForm, language: Language): string {
  const { title } = waitingFormWords[language];
  const html = waitingFormHtml(form, language);
  if (!booking) return section(title, html);
  return `<section class="wide">\n<details class="names"><summary>${escapeHtml(title)}</summary>\n${html}\n</details>\n</section>`;
}

/** A field in the full width, or half of it beside another one. */
const section = (title: string, html: string, width: '' | ' class="wide"' = ' class="wide"'): string =>
  `<section${width}>\n<h2>${escapeHtml(title)}</h2>\n${html}\n</section>`;

/** Summary of an event for link previews: when, where, subtitle, and the beginning of the description. */
function summaryOf({ event, isCancelled }: EventPageInput, text: string, language: Language, timeZone: string): string {
  const state = isCancelled ? pageWords[language].cancelled : alterationWords(event, language, timeZone);
  const facts = [state, whenText(event, language, timeZone), addressLine(event.postalAddress), event.subtitle, text];
  return excerpt(facts.filter(Boolean).join(' — '), 300);
}
