import type { PublicAddress } from '#catalogue';
import type { WholeReservation } from '#tickets';
import { type BookingMailFacts, placeLines } from '#messages';
import { currentLanguage, databaseNow } from '#kernel';
import { Address, DoorsNote, fitsLargeDate, Hours, LargeDate, type Venue, When } from '#page-kit';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';

/** Where and when an event is, for those who hold its tickets. */
export interface HeldEvent {
  readonly event: WholeReservation['event'];
  /** On one line; empty when it is not known. */
  readonly place: string;
  /** The same in parts; null: not known. */
  readonly address: PublicAddress | null;
  /** Country of the venue. */
  readonly homeCountry: string | null | undefined;
  /** Address of its public page. */
  readonly url: string;
}

/** @param about the facts of a mail about the same reservation: both say the same; undefined when the event does not exist */
export function heldEventOf(
  { event }: Pick<WholeReservation, 'event'>,
  about: BookingMailFacts | undefined,
  where: { readonly address: PublicAddress | null; readonly venue: Venue },
): HeldEvent {
  // An event without an address takes place at the venue.
  const place = about ? placeLines(about.event.place).join(', ') || (about.tenant.address ?? '') : '';
  return { event, place, address: where.address, homeCountry: where.venue.country, url: about?.event.url ?? '/' };
}

interface HeldEventHeadProps {
  readonly held: HeldEvent;
  /** What the page shows: `Your reservation`. Absent: the event is a part of the page, below its heading. */
  readonly kind?: string;
}

/** The head of a holder's page: when and where first, and the way to the event. */
export function HeldEventHead({ held: { event, place, address, homeCountry, url }, kind }: HeldEventHeadProps): VNode {
  const language = currentLanguage();
  const { timeZone } = currentTenant();
  const now = databaseNow();
  const Heading = kind === undefined ? 'h2' : 'h1';
  return (
    <header>
      {kind !== undefined && <p class="kind caps">{kind}</p>}
      <LargeDate startsAt={event.startsAt} now={now} language={language} timeZone={timeZone} />
      <p class="lead below number">
        {fitsLargeDate(event, timeZone) ? (
          <strong>
            <Hours event={event} now={now} language={language} timeZone={timeZone} />
            <DoorsNote event={event} language={language} timeZone={timeZone} />
          </strong>
        ) : (
          <When event={event} language={language} timeZone={timeZone} tellsHolders />
        )}
      </p>
      <Heading class="near" dir="auto">
        <a href={url}>{event.name}</a>
      </Heading>
      {event.subtitle && (
        <p class="subtitle" dir="auto">
          {event.subtitle}
        </p>
      )}
      {address ? <Address address={address} homeCountry={homeCountry} language={language} /> : place !== '' && <p dir="auto">{place}</p>}
    </header>
  );
}
