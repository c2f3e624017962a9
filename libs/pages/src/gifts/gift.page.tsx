import type { FoundOffer } from '#holders';
import { nameOfHolder, type WholeReservation } from '#tickets';
import { currentLanguage } from '#kernel';
import { currentTenant } from '#tenancy';
import { pageDocument, type Venue } from '#page-kit';
import type { ComponentChildren, VNode } from 'preact';
import type { HeldTicket } from '../holder/pages/held-ticket.js';
import { GiftCard } from './gift-parts.js';
import { giftWordsFor } from '../holder/parts/gift.words.js';

/** A ticket that is offered to the owner of the link. */
export interface OpenedGift {
  readonly offer: FoundOffer;
  readonly reservation: WholeReservation;
  readonly ticket: HeldTicket;
  /** Of this page. */
  readonly path: string;
  readonly venue: Venue;
}

/** Asks the person to whom a ticket is offered to accept it. @param fault why that did not work just now */
export function giftPage(opened: OpenedGift, fault?: string): string {
  const { offer, reservation, ticket, path } = opened;
  const words = giftWordsFor(currentLanguage(), ticket);
  const giver = nameOfHolder(ticket, reservation);
  return giftFrame(
    opened,
    <p class="lead" dir="auto">
      {words.offered(giver)}
    </p>,
    <section class="part">
      {fault !== undefined && (
        <div class="notice notice-bad" role="alert">
          <p>{fault}</p>
        </div>
      )}
      <GiftCard reservation={reservation} ticket={ticket} message={offer.message ?? ''} head={<b dir="auto">{words.from(giver)}</b>} />
      <form method="post" action={path}>
        <div class="actions">
          <button class="button">{words.accept}</button>
        </div>
      </form>
      <p class="small quiet" dir="auto">
        {words.until(giver)}
      </p>
    </section>,
  );
}

/** What the link shows when the ticket can no longer be accepted. */
export function endedGiftPage(opened: OpenedGift): string {
  const words = giftWordsFor(currentLanguage(), opened.ticket);
  const text = { withdrawn: words.withdrawn, accepted: words.accepted, lapsed: words.lapsed, pending: words.lapsed }[opened.offer.state];
  return giftFrame(
    opened,
    null,
    <section class="part">
      <div class="notice">
        <p>{text}</p>
      </div>
    </section>,
  );
}

function giftFrame({ reservation: { event }, ticket, venue }: OpenedGift, lead: VNode | null, content: ComponentChildren): string {
  const language = currentLanguage();
  const words = giftWordsFor(language, ticket);
  const tenant = currentTenant();
  const main = (
    <>
      <div class="page-head">
        <p class="caps" dir="auto">
          {event.name}
        </p>
        <h1>{words.forYou}</h1>
        {lead}
      </div>
      <div class="two">{content}</div>
    </>
  );
  return pageDocument({ tenant, language, title: `${words.forYou} · ${tenant.name}`, main, venue, sheet: 'holder' });
}
