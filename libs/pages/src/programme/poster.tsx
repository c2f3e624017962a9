import { imagePath, variantWidths } from '#catalogue';
import { categoryHas, type TenantIdentity } from '#tenancy';
import { descriptionText, LargeDate, pageWords, Pattern } from '#page-kit';
import type { ComponentChildren, VNode } from 'preact';
import { ownPage } from '../event-lists/event-link.js';
import type { ListedEvent } from '../public-events/public-events.service.js';
import { canChooseTickets, isOff, Meta, NameLink, Priced, type ProgrammeReading, soonWords, zoneOf } from './event-facts.js';
import { programmeWords } from '../event-lists/programme.words.js';

/** The event that the poster announces: the next of the tenant itself, else of others; one that runs when nothing comes. */
export function nextOf(events: readonly ListedEvent[], now: Date): ListedEvent | undefined {
  const takePlace = events.filter((event) => !isOff(event));
  const coming = takePlace.filter(({ startsAt }) => startsAt > now);
  return coming.find(({ sender }) => !sender) ?? coming[0] ?? takePlace[0];
}

interface PosterProps {
  readonly tenant: TenantIdentity;
  readonly reading: ProgrammeReading;
  /** Undefined: nothing takes place. */
  readonly next: ListedEvent | undefined;
  /** Whether nothing is announced, not even what is cancelled or postponed. */
  readonly isEmpty: boolean;
  /** Further ways, below the description. */
  readonly ways?: ComponentChildren;
}

/** The head of a home page: name, description and picture of the venue, and the next event with its date and what one can do now. */
export function Poster({ tenant, reading, next, isEmpty, ways }: PosterProps): VNode {
  // Pictures of events of others are on other hosts.
  const imageId = reading.venue.imageId ?? (next?.sender ? undefined : next?.pictureId);
  const lead = descriptionText(reading.venue.shortDescription ?? '');
  return (
    <section class="poster">
      <div class="poster-name">
        <h1 dir="auto" class={tenant.name.length > 40 ? 'long' : undefined}>
          {tenant.name}
        </h1>
        <div>
          {lead && (
            <p class="lead" dir="auto">
              {lead}
            </p>
          )}
          {ways}
        </div>
      </div>
      <div class="poster-art">{imageId ? <PosterPicture imageId={imageId} /> : <Pattern name={tenant.name} height={170} />}</div>
      {next ? <Next event={next} reading={reading} /> : <Quiet tenant={tenant} reading={reading} isEmpty={isEmpty} />}
    </section>
  );
}

/** The picture of the venue, else of its next event. Decorative, so its alternative text is empty. */
function PosterPicture({ imageId }: { readonly imageId: string }): VNode {
  const sources = (['med', 'hdr', 'fhd'] as const).map((name) => `${imagePath(imageId, name)} ${variantWidths[name]}w`);
  return <img class="picture" src={imagePath(imageId, 'hdr')} srcset={sources.join(', ')} sizes="(min-width: 60rem) 44rem, 100vw" alt="" />;
}

interface NextProps {
  readonly event: ListedEvent;
  readonly reading: ProgrammeReading;
}

function Next({ event, reading }: NextProps): VNode {
  const { now, language } = reading;
  const words = programmeWords[language];
  const zone = zoneOf(event, reading);
  const { startsAt } = event;
  const caps = startsAt <= now ? [pageWords[language].onNow] : [words.next, soonWords(startsAt, reading, zone)].filter(Boolean);
  const canBook = canChooseTickets(event, reading);
  return (
    <article class="next">
      <p class="caps">{caps.join(' · ')}</p>
      <LargeDate startsAt={startsAt} now={now} language={language} timeZone={zone} />
      <h2 dir="auto" class={event.name.length > 60 ? 'long' : undefined}>
        <NameLink event={event} />
      </h2>
      {event.subtitle && (
        <p class="entry-sub" dir="auto">
          {event.subtitle}
        </p>
      )}
      <div class="actions">
        <div>
          <Meta event={event} reading={reading} isSoonSaid />
          <Priced event={event} reading={reading} />
        </div>
        {canBook && (
          <a class="button" href={`${ownPage(event)}#tickets`}>
            {words.chooseTickets}
          </a>
        )}
      </div>
    </article>
  );
}

type QuietProps = Pick<PosterProps, 'tenant' | 'reading' | 'isEmpty'>;

/** Nothing takes place: what one can do until then. */
function Quiet({ tenant: { category }, reading: { venue, language }, isEmpty }: QuietProps): VNode {
  const { empty, emptyHint, memberships, visitShop } = pageWords[language];
  return (
    <article class="next">
      <p class="caps">{programmeWords[language].nothingOnSale}</p>
      <h2>{isEmpty ? empty : emptyHint}</h2>
      {isEmpty && <p>{emptyHint}</p>}
      <p class="ways">
        {venue.hasMemberships && categoryHas(category, 'membership') && (
          <a class="button other" href="/memberships">
            {memberships}
          </a>
        )}
        {venue.hasGoods && categoryHas(category, 'ticketing') && <a href="/shop">{visitShop}</a>}
      </p>
    </article>
  );
}
