import { type BoughtGiftCard, GiftCardsService, giftCardStates, type ValuedGiftCard } from '#gift-cards';
import type { Reply } from '#http';
import { currency, currentLanguage, dayWords, moneyWords, startOfDayInZone, type RefusedInput } from '#kernel';
import { FaultSummary, InputField, LookAgain } from '#page-kit';
import { PublicEventsService } from '#pages';
import { checkoutUrlOf } from '#payments';
import { hasWithdrawal } from '#tickets';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { ownLinePage } from '../frame/own-line-page.js';
import { orderWords } from '../frame/order.words.js';
import { Step } from '../frame/step.js';
import { GiftCardForm } from './gift-card-form.js';
import { giftCardWords } from './gift-card.words.js';

interface Refused {
  readonly status: number;
  readonly body: unknown;
  /** Empty: the provider could not be reached. */
  readonly faults: readonly RefusedInput[];
}

interface Balance {
  readonly typed: string;
  readonly card?: ValuedGiftCard;
  readonly fault?: string;
  readonly status?: number;
}

/** The pages of gift cards. */
@Injectable()
export class GiftCardPagesService {
  constructor(
    private readonly events: PublicEventsService,
    private readonly cards: GiftCardsService,
  ) {}

  /** @param suggested amounts, decimal texts separated by spaces; undefined: nobody can buy one now */
  async form(suggested: string | undefined, refused?: Refused): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = giftCardWords[language];
    if (suggested === undefined) return this.answer(<Step title={words.closed} />);
    const faults = new Map((refused?.faults ?? []).map(({ field, message }) => [field, message]));
    const form = (
      <>
        {refused?.faults.length === 0 && <p role="alert">{orderWords[language].payFailed}</p>}
        <GiftCardForm venue={await this.events.venue()} suggested={suggested} body={refused?.body ?? {}} faults={faults} />
      </>
    );
    return this.answer(form, { status: refused?.status ?? 200 });
  }

  /** What became of a purchase: the card, which serves as a receipt, or the way to its payment. */
  async bought({ card, payments }: BoughtGiftCard, path: string, look: number): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = giftCardWords[language];
    const { timeZone } = currentTenant();
    const price = card && moneyWords(card.amount, currency, language);
    if (card?.issuedAt && price !== undefined) {
      const mailedOn = card.sendOn && startOfDayInZone(card.sendOn, timeZone);
      const lines = [
        words.paid(price, dayWords(card.issuedAt, language, timeZone)),
        ...(card.recipientEmail && mailedOn ? [words.mailed(card.recipientEmail, dayWords(mailedOn, language, timeZone))] : []),
        ...(card.state === 'usable' ? [] : [giftCardStates[card.state][language]]),
      ];
      const until = hasWithdrawal((await this.events.venue()).country) ? this.cards.withdrawableUntil(card) : undefined;
      return this.answer(
        <Step title={words.thanks} lines={lines} isGood>
          {card.state === 'usable' && (
            <p>
              <a class="button" href={`${path}/gift-card.pdf`}>
                {words.print}
              </a>
            </p>
          )}
          {until && (
            <p>
              <a href={`${path}/withdraw`}>{words.withdraw}</a>{' '}
              {words.withdrawUntil(dayWords(new Date(until.getTime() - 1), language, timeZone))}
            </p>
          )}
        </Step>,
      );
    }
    if (payments.some(({ status }) => status === 'processing'))
      return this.answer(<Step title={orderWords[language].payTitle} lines={[orderWords[language].processing]} />);
    const url = checkoutUrlOf(payments);
    if (url === undefined || price === undefined)
      return this.answer(
        <Step title={words.nothing}>
          <p>
            <a class="button" href="/gift-card">
              {words.again}
            </a>
          </p>
        </Step>,
      );
    if (look >= 1) {
      const again = `${path}?paid=${look + 1}`;
      return this.answer(<LookAgain path={again} text={words.waiting} />, { again });
    }
    return this.answer(
      <Step title={orderWords[language].payTitle}>
        <p>
          <a class="button" href={url}>
            {orderWords[language].pay(price)}
          </a>
        </p>
      </Step>,
    );
  }

  /** The field for a code, and what its card has left. */
  balance({ typed, card, fault, status }: Balance): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = giftCardWords[language];
    const attributes = { value: typed, maxlength: 40, autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false' };
    const main = (
      <>
        <FaultSummary title={orderWords[language].faults} faults={new Map(fault === undefined ? [] : [['giftCard', fault]])} />
        {card && <Left card={card} />}
        <form class="order flow" method="post" action="/gift-card/balance">
          <InputField field={{ name: 'giftCard', label: words.code, hint: words.codeHint, fault }} attributes={attributes} />
          <p>
            <button class="button">{words.check}</button>
          </p>
        </form>
      </>
    );
    return this.answer(main, { status: status ?? 200, title: words.balanceTitle });
  }

  private async answer(
    body: VNode,
    { title, ...more }: { readonly status?: number; readonly again?: string; readonly title?: string } = {},
  ): Promise<Reply<string>> {
    const heading = title ?? giftCardWords[currentLanguage()].title(currentTenant().name);
    return ownLinePage({ ...more, body, title: heading, venue: await this.events.venue() });
  }
}

/** What a card has left. */
function Left({ card: { state, balance, expiresAt } }: { readonly card: ValuedGiftCard }): VNode {
  const language = currentLanguage();
  const words = giftCardWords[language];
  const lines = [
    ...(state === 'usable' ? [] : [giftCardStates[state][language]]),
    expiresAt === null ? words.noEnd : words.until(dayWords(new Date(expiresAt.getTime() - 1), language, currentTenant().timeZone)),
  ];
  return <Step title={words.left(moneyWords(balance, currency, language))} lines={lines} isGood={state === 'usable'} />;
}
