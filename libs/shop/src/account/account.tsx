import type { AccountBooking, AccountBookingState, AccountList, AccountMembership, OpenContract } from '#holders';
import type { LinkSubject } from '#tickets';
import { cardStates, type OwnCard } from '#cards';
import { currentLanguage, databaseNow, dayWords, whenText } from '#kernel';
import { Dotted } from '#http';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { cartWords, goodsCartWords } from '../cart/cart.words.js';
import { membershipWords } from '../memberships/membership.words.js';
import { orderWords } from '../frame/order.words.js';
import { accountWords, goodsAccountWords } from './account.words.js';

/** One page of a list, with its number from 1. */
type ShownList = AccountList & { readonly page: number };

/** What the page of an account shows. */
export interface ShownAccount {
  readonly email: string;
  readonly coming: ShownList;
  readonly past: ShownList;
  readonly memberships: readonly AccountMembership[];
  /** From which the person may withdraw. */
  readonly contracts: readonly OpenContract[];
  readonly cards: readonly OwnCard[];
  /** Path of a holder's page. */
  readonly pathTo: (subject: LinkSubject, version: number) => string;
}

/** What a person booked and has, what to do with the data, and the end of the session. */
export function Account({ shown }: { readonly shown: ShownAccount }): VNode {
  const words = accountWords[currentLanguage()];
  return (
    <>
      <Bookings shown={shown} which="coming" />
      <Memberships shown={shown} />
      <Contracts shown={shown} />
      <Cards cards={shown.cards} />
      <Bookings shown={shown} which="past" />
      <section>
        <h2>{words.data}</h2>
        <p class="hint">{words.dataText(currentTenant().name)}</p>
        <p class="ways">
          <a href="/account/data.json" download>
            {words.download}
          </a>
          <a href="/account/erase">{words.erase}</a>
        </p>
      </section>
      <form class="order" method="post" action="/account/sign-out">
        <button class="button other">{words.signOut}</button>
      </form>
    </>
  );
}

interface ListProps {
  readonly shown: ShownAccount;
  readonly which: 'coming' | 'past';
}

/** A list of bookings, each with the link to its page. */
function Bookings({ shown, which }: ListProps): VNode | null {
  const words = accountWords[currentLanguage()];
  const { bookings, page } = shown[which];
  const none = which === 'coming' ? words.noneComing : '';
  if (bookings.length === 0 && page === 1 && none === '') return null;
  return (
    <section id={which}>
      <h2>{which === 'coming' ? words.coming : words.past}</h2>
      {bookings.length === 0 ? (
        <p>{none}</p>
      ) : (
        <ul class="rows">
          {bookings.map((booking) => (
            <Booking booking={booking} pathTo={shown.pathTo} />
          ))}
        </ul>
      )}
      <Pages shown={shown} which={which} />
    </section>
  );
}

interface BookingProps {
  readonly booking: AccountBooking;
  readonly pathTo: ShownAccount['pathTo'];
}

function Booking({ booking: { kind, id, version, state, tickets, isGoods, event }, pathTo }: BookingProps): VNode {
  const language = currentLanguage();
  const words = isGoods ? goodsAccountWords[language] : accountWords[language];
  const subject = kind === 'reservation' ? { reservationId: id } : { ticketId: id };
  const facts = [
    whenText(event, language, currentTenant().timeZone),
    ...(state === 'cancelled' ? [] : [kind === 'reservation' ? words.tickets(tickets) : words.given]),
  ];
  return (
    <li>
      <span class="row-name">
        <a href={pathTo(subject, version)}>
          <bdi>{event.name}</bdi>
        </a>{' '}
        <small>
          <Dotted facts={facts} />
        </small>
      </span>
      <span>{stateWords(state, isGoods)}</span>
    </li>
  );
}

function stateWords(state: AccountBookingState, isGoods: boolean): string {
  const language = currentLanguage();
  if (state === 'atVenue') return orderWords[language].venue;
  if (state === 'byTransfer') return orderWords[language].transfer;
  return { ...cartWords[language], ...(isGoods && goodsCartWords[language]) }[state];
}

/** Links to the pages before and after this one. The other list keeps its page. */
function Pages({ shown, which }: ListProps): VNode | null {
  const { page, hasMore } = shown[which];
  if (page === 1 && !hasMore) return null;
  const words = accountWords[currentLanguage()];
  const other = which === 'coming' ? 'past' : 'coming';
  const rest = shown[other].page > 1 ? `&${other}=${shown[other].page}` : '';
  const title = which === 'coming' ? words.coming : words.past;
  const pathTo = (to: number): string => `/account?${which}=${to}${rest}#${which}`;
  return (
    <nav class="ways" aria-label={`${title}: ${words.page(page)}`}>
      {page > 1 && <a href={pathTo(page - 1)}>{words.previous}</a>}
      {hasMore && <a href={pathTo(page + 1)}>{words.next}</a>}
    </nav>
  );
}

/** The memberships with their cards, and the way to renew them; nothing without any. */
function Memberships({ shown: { memberships, pathTo } }: { readonly shown: ShownAccount }): VNode | null {
  if (memberships.length === 0) return null;
  return (
    <section>
      <h2>{membershipWords[currentLanguage()].title}</h2>
      <ul class="rows">
        {memberships.map((membership) => (
          <Membership membership={membership} path={pathTo({ membershipId: membership.id }, membership.version)} />
        ))}
      </ul>
    </section>
  );
}

interface MembershipProps {
  readonly membership: AccountMembership;
  /** Of its page. */
  readonly path: string;
}

function Membership({ membership, path }: MembershipProps): VNode {
  const language = currentLanguage();
  const words = accountWords[language];
  const { product, price, isRenewable, renewsItself } = membership;
  const name = product === price ? product : `${product} · ${price}`;
  return (
    <li>
      <span class="row-name">
        <bdi>{name}</bdi> <small>{periodOf(membership)}</small>
      </span>
      <span class="ways">
        <a href={path} aria-label={words.cardOf(name)}>
          {words.card}
        </a>
        {renewsItself && (
          <a href={`${path}/stop-renewal`} aria-label={words.automaticWhat(name)}>
            {words.automatic}
          </a>
        )}
        {isRenewable && !renewsItself && (
          <a href={`${path}/renew`} aria-label={words.renewWhat(name)}>
            {membershipWords[language].renew}
          </a>
        )}
      </span>
    </li>
  );
}

/** From or until when it is valid. An end at midnight is shown as the day before. */
function periodOf({ status, validFrom, validUntil, isValid }: AccountMembership): string {
  const language = currentLanguage();
  const words = accountWords[language];
  const { timeZone } = currentTenant();
  if (status === 'pending') return cartWords[language].unpaid;
  if (validFrom > databaseNow()) return words.validFrom(dayWords(validFrom, language, timeZone));
  if (validUntil === null) return words.endless;
  const day = dayWords(new Date(validUntil.getTime() - 1), language, timeZone);
  return isValid ? words.validUntil(day) : words.endedOn(day);
}

/** The ways to withdraw from contracts; nothing without any. */
function Contracts({ shown: { contracts, pathTo } }: { readonly shown: ShownAccount }): VNode | null {
  if (contracts.length === 0) return null;
  const words = accountWords[currentLanguage()];
  return (
    <section>
      <h2>{words.withdraw}</h2>
      <p class="hint">{words.withdrawText}</p>
      <ul class="rows">
        {contracts.map(({ subject, version, name }) => (
          <li>
            <span class="row-name">
              <bdi>{name}</bdi>
            </span>
            <a href={`${pathTo(subject, version)}/withdraw`} aria-label={words.withdrawWhat(name)}>
              {words.withdrawLink}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The NFC cards of the person; nothing without any. */
function Cards({ cards }: Pick<ShownAccount, 'cards'>): VNode | null {
  if (cards.length === 0) return null;
  const language = currentLanguage();
  return (
    <section>
      <h2>{accountWords[language].cards}</h2>
      <ul class="rows">
        {cards.map(({ tag, number, state }) => (
          <li>
            <span>{number ?? tag}</span>
            <span>{cardStates[state][language]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
