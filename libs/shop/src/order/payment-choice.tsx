import { beforeWhen, currency, moneyWords } from '#kernel';
import { transferDay } from '#messages';
import { Fault } from '#page-kit';
import type { VNode } from 'preact';
import { orderWordsFor, type OrderWords } from '../frame/order.words.js';
import { awaitsConfirmation, awaitsMember, type OrderToComplete, type ShownContact } from './shown-contact.js';

/** What the button does: pays, or reserves to pay later. The style shows the one that belongs to the chosen way. */
export function PayWords({ shown, words }: { readonly shown: ShownContact; readonly words: OrderWords }): VNode {
  const { order, language } = shown;
  const price = moneyWords(order.amount, currency, language);
  const [now, later] = [words.pay(price), laterWords(order, words, price)];
  if (later === undefined) return <>{now}</>;
  if (!order.canPayOnline) return <>{later}</>;
  return (
    <>
      <span class="pay-now">{now}</span>
      <span class="pay-later">{later}</span>
    </>
  );
}

/** What reserves without a payment now; undefined: nothing does. */
function laterWords({ payAtVenueUntil, transfer }: OrderToComplete, words: OrderWords, price: string): string | undefined {
  if (payAtVenueUntil === undefined) return transfer && words.reserveTransfer(price);
  return transfer ? words.reserveLater(price) : words.reserve(price);
}

interface Way {
  readonly value: string;
  readonly label: string;
  readonly hint: string;
}

/** How the order is paid: a choice, or a sentence when there is only one way. */
export function Payment({ shown }: { readonly shown: ShownContact }): VNode {
  const { order, typed, faults, language, timeZone } = shown;
  const words = orderWordsFor(language, order.tickets);
  const { canPayOnline, payAtVenueUntil, transfer } = order;
  const first = shown.isMailed && awaitsConfirmation(shown) ? ` ${words.confirmFirst}` : '';
  const day = transfer && transferDay(transfer.dueOn, language);
  const before = payAtVenueUntil && beforeWhen(payAtVenueUntil, language, timeZone);
  const ways: Way[] = [
    ...(canPayOnline ? onlineWays(shown, words) : []),
    ...(before === undefined ? [] : [{ value: 'venue', label: words.venue, hint: words.venueHint(before) + first }]),
    ...(day === undefined ? [] : [{ value: 'transfer', label: words.transfer, hint: words.transferHint(day) + first }]),
  ];
  const fault = <Fault name="payment" fault={faults.get('payment')} />;
  if (ways.length < 2) {
    const later = awaitsMember(shown) ? words.afterMail : words.onlyOnline;
    return (
      <div id="payment" tabindex={-1}>
        {fault}
        <p>{day === undefined ? (before === undefined ? later : words.onlyVenue(before) + first) : words.onlyTransfer(day) + first}</p>
        {day !== undefined && <input type="hidden" name="payment" value="transfer" />}
      </div>
    );
  }
  const [given] = typed('payment');
  const chosen = ways.some(({ value }) => value === given) ? given : ways[0]?.value;
  return (
    <fieldset id="payment" tabindex={-1} class="kinds">
      <legend class="display">{words.payment}</legend>
      {fault}
      {ways.map((way) => (
        <PaymentWay way={way} isChosen={way.value === chosen} />
      ))}
    </fieldset>
  );
}

function PaymentWay({ way: { value, label, hint }, isChosen }: { readonly way: Way; readonly isChosen: boolean }): VNode {
  const id = `payment-${value}`;
  return (
    <div class="choice">
      <input type="radio" id={id} name="payment" value={value} checked={isChosen} />
      <label for={id}>
        <strong>{label}</strong>
        {hint !== '' && (
          <>
            {' '}
            <span>{hint}</span>
          </>
        )}
      </label>
    </div>
  );
}

/** The ways to pay online. Who pays later, after a mail, does not choose now. */
function onlineWays(shown: ShownContact, { online: label }: OrderWords): Way[] {
  const { language, accounts } = shown;
  if (accounts.length < 2 || awaitsMember(shown)) return [{ value: 'online', label, hint: '' }];
  return accounts.map((account) => ({ value: account.id, label, hint: account.label[language] }));
}
