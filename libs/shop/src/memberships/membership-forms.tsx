import { amountWords, FaultSummary, InputField, Notice, type Venue } from '#page-kit';
import { isFreeOffer, type AskedMembershipOffer, type MembershipOffer, type Renewal } from '#memberships';
import { costsNothing, currency, databaseNow, dayWords, type Language, moneyWords } from '#kernel';
import type { VNode } from 'preact';
import { Closing, ContactFields, Fieldset } from '../order/contact-fields.js';
import type { TypedContact } from '../order/contact-form.dto.js';
import { orderWords } from '../frame/order.words.js';
import { OrderQuestions } from '../order/questions.js';
import { WithdrawalRight } from '../frame/withdrawal-right.js';
import { RenewsItself } from './automatic-renewal.js';
import { membershipWords } from './membership.words.js';
import { closedWords, costWords } from './offer-words.js';

/** A form with what was typed. */
interface ShownForm {
  readonly path: string;
  readonly language: Language;
  readonly hasTerms: boolean;
  readonly hasPrivacy: boolean;
  readonly venue: Pick<Venue, 'country'>;
  readonly typed: TypedContact;
  /** By the id of the field. */
  readonly faults: ReadonlyMap<string, string>;
  /** Why it was not accepted, when that is about no field. */
  readonly notice: string | undefined;
  /** Whether the membership can be renewed by itself. */
  readonly canRenew: boolean;
}

interface JoiningProps {
  readonly offer: AskedMembershipOffer;
  /** Of this form: it joins once. */
  readonly token: string;
  /** The code that it is bought with. */
  readonly code: string | undefined;
  readonly shown: ShownForm;
}

/** The form to join. Works without scripts. */
export function JoiningForm({ offer, token, code, shown }: JoiningProps): VNode {
  const { path, language, hasTerms, hasPrivacy, typed, faults, notice } = shown;
  const [words, order] = [membershipWords[language], orderWords[language]];
  const send = isFreeOffer(offer)
    ? words.send
    : offer.freeAmount
      ? words.sendFreeAmount
      : words.pay(moneyWords(offer.amount, currency, language));
  return (
    <>
      <Notice text={notice} />
      <FaultSummary title={order.faults} faults={faults} />
      <form class="sheet order" method="post" action={path} novalidate>
        <input type="hidden" name="form" value={token} />
        {code !== undefined && <input type="hidden" name="code" value={code} />}
        <ContactFields typed={typed} faults={faults} words={order} emailHint={words.emailHint} />
        <OrderQuestions shown={{ questions: offer.questions, tickets: [], typed, faults, words: order }} />
        {offer.freeAmount && <Contribution offer={offer} shown={shown} />}
        {shown.canRenew && <RenewsItself name="renews" period={offer.period} typed={typed} language={language} />}
        {!isFreeOffer(offer) && <WithdrawalRight venue={shown.venue} tickets={[]} memberships={[offer.freeAmount ? '1' : offer.amount]} />}
        <Closing typed={typed} faults={faults} language={language} hasTerms={hasTerms} hasPrivacy={hasPrivacy} send={send} />
      </form>
    </>
  );
}

/** The amount that the person chooses. */
function Contribution({ offer, shown }: { readonly offer: MembershipOffer; readonly shown: ShownForm }): VNode {
  const { language, typed, faults } = shown;
  const words = membershipWords[language];
  const least = costsNothing(offer.amount) ? '' : offer.amount;
  return (
    <Fieldset legend={words.contribution}>
      <InputField
        field={{ name: 'amount', label: words.amount, hint: costWords(offer, language), fault: faults.get('amount') }}
        attributes={{ value: typed('amount')[0] || least, inputmode: 'decimal', maxlength: 12, autocomplete: 'off' }}
      />
    </Fieldset>
  );
}

interface RenewalProps {
  readonly renewal: Renewal;
  readonly timeZone: string;
  /** Whether something can be paid on the pages. */
  readonly canPay: boolean;
  readonly shown: ShownForm;
}

/** What is renewed, and the button. */
export function RenewalForm({ renewal, timeZone, canPay, shown }: RenewalProps): VNode {
  const { offer, amount, next, period } = renewal;
  const { path, language, hasTerms, hasPrivacy, typed, faults, notice } = shown;
  const words = membershipWords[language];
  const head = <Renewed renewal={renewal} timeZone={timeZone} language={language} />;
  if (next?.status === 'active')
    return (
      <>
        {head}
        <section class="notice step">
          <p>{next.validUntil === null ? words.endless : words.renewed(lastDay(next.validUntil, language, timeZone))}</p>
        </section>
      </>
    );
  const closed = offer && closedWords({ ...offer, amount, freeAmount: false }, canPay, language);
  if (!isRenewable(renewal) || closed !== undefined)
    return (
      <>
        {head}
        <section class="notice step">
          <p>{closed ?? words.notSold}</p>
          <AllMemberships language={language} />
        </section>
      </>
    );
  const send = costsNothing(amount) ? words.renew : words.pay(moneyWords(amount, currency, language));
  return (
    <>
      <Notice text={notice} />
      <FaultSummary title={orderWords[language].faults} faults={faults} />
      {head}
      {period.validUntil !== null && (
        <p>{words.newPeriod(dayWords(period.validFrom, language, timeZone), lastDay(period.validUntil, language, timeZone))}</p>
      )}
      <form class="sheet order" method="post" action={path} novalidate>
        {shown.canRenew && <RenewsItself name="renews" period={offer?.period ?? null} typed={typed} language={language} />}
        <WithdrawalRight venue={shown.venue} tickets={[]} memberships={[amount]} />
        <Closing typed={typed} faults={faults} language={language} hasTerms={hasTerms} hasPrivacy={hasPrivacy} send={send} />
      </form>
    </>
  );
}

/** The membership as it is, and what it costs to renew it. */
function Renewed({ renewal, timeZone, language }: Pick<RenewalProps, 'renewal' | 'timeZone'> & { readonly language: Language }): VNode {
  const { membership, amount } = renewal;
  const { validUntil, product, price } = membership;
  const words = membershipWords[language];
  const endWords = validUntil !== null && validUntil > databaseNow() ? words.endsOn : words.endedOn;
  return (
    <section>
      <p>{validUntil === null ? words.endless : endWords(lastDay(validUntil, language, timeZone))}</p>
      <ul class="leaders number">
        <li>
          <span>
            <bdi>{`${product.name} · ${price.name}`}</bdi>
          </span>
          <span>{amountWords(amount, language)}</span>
        </li>
      </ul>
    </section>
  );
}

/** The last day of a period. An end at midnight is shown as the day before. */
export const lastDay = (end: Date, language: Language, timeZone: string): string =>
  dayWords(new Date(end.getTime() - 1), language, timeZone);

/** The button to everything that can be joined. */
export function AllMemberships({ language }: { readonly language: Language }): VNode {
  return (
    <p>
      <a class="button" href="/memberships">
        {membershipWords[language].all}
      </a>
    </p>
  );
}

/** Whether a membership has an end, is active, and its price is offered still. */
export function isRenewable({ membership, offer }: Renewal): boolean {
  return offer !== undefined && membership.validUntil !== null && membership.status === 'active';
}
