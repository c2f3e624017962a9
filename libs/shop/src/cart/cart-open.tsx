import { cartAmount, type CartSavings, type ChosenMembership, type OrderedCart } from '#selling';
import type { WholeReservation } from '#tickets';
import { costsNothing, currentLanguage } from '#kernel';
import { donationAmong } from '#orders';
import { FaultSummary, type Venue } from '#page-kit';
import type { VNode } from 'preact';
import { goodsWords } from '../goods/goods.words.js';
import { ContactForm } from '../order/contact-form.js';
import type { ShownContact } from '../order/payment-choice.js';
import type { EnteredCode } from '#pages';
import { DiscountHints } from '../frame/discount-hints.js';
import { DiscountForm } from '../frame/discount-form.js';
import { cancelNote } from '../frame/order-summary.js';
import { orderWords } from '../frame/order.words.js';
import { RedeemForm, type OrderGiftCards } from '../gift-cards/redeem-form.js';
import { SameBefore } from '../order/send-again.js';
import { AskDonation, asksWithOrders, type TypedDonation } from '../donations/ask-donation.js';
import { AskPlaces } from '../donations/ask-places.js';
import { hasItsDates, PassDates } from '../passes/pass-dates.js';
import { OwnSection } from './own-section.js';
import { Chosen, Missing, Renewals } from './cart-memberships.js';
import { asOneOrder } from './cart-order.js';
import { Joining, Saving } from './cart-saving.js';
import { CartHold, EditPart, Parts, RemoveButton } from './cart.js';
import { cartWords } from './cart.words.js';
import { WithdrawalRight } from '../frame/withdrawal-right.js';

interface OpenProps {
  readonly cart: OrderedCart;
  /** Of the cart. */
  readonly path: string;
  /** Path of the form with the tickets of a part. */
  readonly changeOf: (part: WholeReservation) => string;
}

/** What the page of an open cart shows beside its contents. */
export interface ShownCart {
  /** By the id of the part or membership. */
  readonly faults?: ReadonlyMap<string, string> | undefined;
  readonly savings?: CartSavings;
  /** Products of the memberships of who is signed in. */
  readonly held?: ReadonlySet<string>;
  /** Path of a cart with the same tickets that this browser completed before. */
  readonly same?: string | undefined;
  /** A donation that was refused. */
  readonly refused?: TypedDonation;
  /** A code that was refused. */
  readonly code?: EnteredCode;
  /** Why places for others were refused, by their event. */
  readonly places?: ReadonlyMap<string, string>;
  /** Dates of a pass that were refused, by its price. */
  readonly dates?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The page without a cart. */
export function EmptyCart(): VNode {
  const language = currentLanguage();
  const words = cartWords[language];
  return (
    <>
      <p>{words.empty}</p>
      <p>{words.emptyHint}</p>
      <p>
        <a class="button" href="/">
          {orderWords[language].backToAgenda}
        </a>
      </p>
    </>
  );
}

/** What the cart contains, and the ways from there. */
export function OpenCart({ cart, path, changeOf, venue, ...shown }: OpenProps & ShownCart & { readonly venue: Venue }): VNode {
  const { faults = new Map(), savings, held = new Set(), same, refused, code, places, dates } = shown;
  const { parts, chosen, own, canPayOnline } = cart;
  const missing = new Map([...cart.missing].filter(([id]) => !held.has(id)));
  const language = currentLanguage();
  const words = cartWords[language];
  const listed = new Map([...faults].map(([id, text]) => [`part-${id}`, text]));
  const others = [
    ...chosen.map((one) => (
      <Chosen chosen={one} fault={faults.get(one.id)}>
        <Removal id={one.id} name={one.product} path={path} />
      </Chosen>
    )),
    ...own.map((line) => (
      <OwnSection line={line}>
        <Removal id={line.id} name={line.name} path={path} />
      </OwnSection>
    )),
  ];
  const actions = (part: WholeReservation): VNode => (
    <PartActions part={part} cart={{ ...cart, missing }} path={path} changeOf={changeOf} />
  );
  return (
    <>
      <FaultSummary title={orderWords[language].faults} faults={listed} />
      <SameBefore path={same} />
      <CartHold parts={parts} />
      {parts.length + chosen.length > 0 && <DiscountForm path={path} venue={venue} used={cart.codes[0]} refused={code} />}
      <Parts parts={parts} faults={faults} actions={actions} others={others} amount={cartAmount(cart)} />
      {cart.passes.map((pass) => (
        <PassDates pass={pass} action={`${path}/dates`} fault={faults.get(pass.priceId)} refused={dates?.get(pass.priceId)} />
      ))}
      <DiscountHints missing={cart.missingDiscounts} />
      {savings?.saving && <Saving saving={savings.saving} path={path} />}
      {savings?.joining && <Joining joining={savings.joining} />}
      {asksWithOrders(venue) && (canPayOnline || cart.transfer !== undefined) && !donationAmong(own) && (
        <AskDonation
          suggested={venue.donations}
          campaigns={venue.campaigns}
          action={`${path}/donation`}
          order={cartAmount(cart)}
          refused={refused}
        />
      )}
      {cart.offeredPlaces
        .filter(({ eventId }) => own.every((line) => line.eventId !== eventId))
        .map((offered) => (
          <AskPlaces offered={offered} action={`${path}/places`} fault={places?.get(offered.eventId)} />
        ))}
      <p class="ways">
        {cart.passes.every(hasItsDates) && (
          <a class="button" href={`${path}/contact`}>
            {words.proceed}
          </a>
        )}
        <a href="/">{words.more}</a>
        {venue.hasGoods && <a href="/shop">{goodsWords[language].title}</a>}
      </p>
      <p class="hint">{words.binding}</p>
    </>
  );
}

interface CartContactProps extends OpenProps {
  /** The form, without the order that it is about. */
  readonly form: Omit<ShownContact, 'order' | 'path'>;
  /** Faults of parts and memberships, by their id. */
  readonly partFaults: ReadonlyMap<string, string>;
  /** The memberships that can be renewed by themselves. */
  readonly renewable: readonly ChosenMembership[];
  readonly venue: Venue;
  /** By the id of the part: until when it can be cancelled; undefined: not on the pages. */
  readonly ends: ReadonlyMap<string, Date | undefined>;
  readonly giftCards: OrderGiftCards;
}

/** The contact form for everything in the cart. What is refused can be changed or removed there. */
export function CartContact({ cart, path, changeOf, form, partFaults, renewable, venue, ends, giftCards }: CartContactProps): VNode {
  const { parts, chosen, own } = cart;
  const others = [
    ...chosen.map((one) => (
      <Chosen chosen={one} fault={partFaults.get(one.id)}>
        {partFaults.has(one.id) && <Removal id={one.id} name={one.product} path={path} />}
      </Chosen>
    )),
    ...own.map((line) => <OwnSection line={line} />),
  ];
  const actions = (part: WholeReservation): VNode | false =>
    partFaults.has(part.id) && <PartActions part={part} cart={cart} path={path} changeOf={changeOf} />;
  return (
    <>
      <CartHold parts={parts} />
      <div id="tickets" tabindex={-1}>
        <Parts
          parts={parts}
          faults={partFaults}
          actions={actions}
          noteOf={(part) => cancelNote(part, ends.get(part.id))}
          others={others}
          amount={cartAmount(cart)}
        />
      </div>
      {cart.canPayOnline && !costsNothing(cartAmount(cart)) && <RedeemForm path={path} venue={venue} cards={giftCards} />}
      <ContactForm
        {...form}
        order={{ ...asOneOrder(cart), rest: giftCards.rest }}
        path={`${path}/contact`}
        more={
          <>
            <Renewals renewable={renewable} typed={form.typed} />
            <WithdrawalRight
              venue={venue}
              tickets={parts.flatMap(({ tickets }) => tickets)}
              memberships={chosen.map(({ amount }) => amount)}
            />
          </>
        }
      />
    </>
  );
}

/** What buyers can do with a part of an open cart. */
function PartActions({ part, cart, path, changeOf }: OpenProps & { readonly part: WholeReservation }): VNode {
  return (
    <>
      <Missing part={part} missing={cart.missing} canPayOnline={cart.canPayOnline} />
      <EditPart part={part} path={path} change={changeOf(part)} />
    </>
  );
}

/** What buyers can do with a membership or a donation. */
function Removal({ id, name, path }: { readonly id: string; readonly name: string; readonly path: string }): VNode {
  return (
    <div class="actions">
      <RemoveButton id={id} name={name} path={path} />
    </div>
  );
}
