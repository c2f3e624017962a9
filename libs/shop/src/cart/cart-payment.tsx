import { restWithCards } from '#gift-cards';
import type { WholeMembership } from '#memberships';
import { checkoutUrlOf } from '#payments';
import type { CartContents, OnlineOnly } from '#selling';
import type { WholeReservation } from '#tickets';
import { donationAmong } from '#orders';
import { costsNothing, currency, currentLanguage, moneyWords, untilWhen } from '#kernel';
import { currentTenant } from '#tenancy';
import type { VNode } from 'preact';
import { orderWordsFor } from '../frame/order.words.js';
import { Step } from '../frame/step.js';
import { dueSum, heldUntil, ticketsIn } from './cart-order.js';
import { cartWords } from './cart.words.js';

interface PaymentProps {
  readonly cart: CartContents;
  /** What of it is due. */
  readonly due: readonly (WholeReservation | WholeMembership)[];
  /** Of the cart. */
  readonly path: string;
  /** Why the last attempt failed. */
  readonly fault: string | undefined;
  /** What keeps the order from being paid at the venue; undefined: that is not offered. */
  readonly onlineOnly: readonly OnlineOnly[] | undefined;
}

/** The step with the button that leads to the payment, and the way to the other payment. */
export function Payment({ cart, due, path, fault, onlineOnly }: PaymentProps): VNode {
  const language = currentLanguage();
  const tickets = ticketsIn(due);
  const words = orderWordsFor(language, tickets);
  const time = untilWhen(heldUntil(due) as Date, language, currentTenant().timeZone);
  const rest = restWithCards(
    dueSum(cart, due),
    due.flatMap(({ payments }) => payments),
  );
  const label = words.pay(moneyWords(rest, currency, language));
  const [url] = due.flatMap(({ payments }) => checkoutUrlOf(payments) ?? []);
  const way =
    url === undefined ? (
      <form class="order" method="post" action={`${path}/contact`}>
        <button class="button">{label}</button>
      </form>
    ) : (
      <p>
        <a class="button" href={url}>
          {label}
        </a>
      </p>
    );
  return (
    <Step title={words.payTitle} lines={[words.payText(time, tickets.length)]} fault={fault}>
      {way}
      {onlineOnly && <AtVenue cart={cart} path={path} onlineOnly={onlineOnly} pays={words.payVenue} />}
    </Step>
  );
}

interface AtVenueProps extends Pick<PaymentProps, 'cart' | 'path'> {
  readonly onlineOnly: readonly OnlineOnly[];
  /** What the button says that changes everything. */
  readonly pays: string;
}

/** The button to pay at the venue instead, or why that is not possible. A donation can be given up for it. */
function AtVenue({ cart: { parts, own }, path, onlineOnly, pays }: AtVenueProps): VNode {
  const words = cartWords[currentLanguage()];
  const donation = donationAmong(own);
  const others = onlineOnly.filter(({ what }) => what !== 'donation');
  if (others.length > 0)
    return (
      <>
        <p class="hint">{words.notAtVenue}</p>
        <ul class="hint">
          {onlineOnly.map(({ name, what }) => (
            <li>{what === 'event' || what === 'membership' ? words.onlineOnly[what](name) : words.onlineOnly.other}</li>
          ))}
        </ul>
      </>
    );
  const without = parts.every(({ amount }) => costsNothing(amount)) ? words.bookWithout : words.venueWithout;
  return (
    <form class="order" method="post" action={`${path}/venue`}>
      {onlineOnly.length > 0 && donation && (
        <>
          <p class="hint">{words.onlineOnly.other}</p>
          <input type="hidden" name="without" value={donation.id} />
        </>
      )}
      <button class="button other">{onlineOnly.length > 0 ? without : pays}</button>
    </form>
  );
}
