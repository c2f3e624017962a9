import { giftCardRefusalText, isOfIssuer, restWithCards } from '#gift-cards';
import { type HeldOrder, type Venue, heldCookie, pageDocument, pageWords, personalReply, sitesOf } from '#page-kit';
import type { CompletedReservation, OrderedTickets } from '#selling';
import { HolderCancellationsService, HolderLinks, MailsService, type WholeReservation } from '#tickets';
import type { Reply } from '#http';
import { costsNothing, currency, currentLanguage, moneyWords, SETTINGS, untilWhen, type Settings } from '#kernel';
import { PublicEventsService, type EnteredCode } from '#pages';
import { CheckoutsService } from '#payments';
import { currentTenant } from '#tenancy';
import { transferDay } from '#messages';
import { BankTransfersService } from '#transfers';
import { Inject, Injectable } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import { AskPlaces } from '../donations/ask-places.js';
import { AskDonation, asksWithOrders, type TypedDonation } from '../donations/ask-donation.js';
import { nothingTyped, type TypedContact } from './contact-form.dto.js';
import { ContactForm } from './contact-form.js';
import { DiscountForm } from '../frame/discount-form.js';
import { OrderGiftCardsService } from '../gift-cards/order-gift-cards.service.js';
import { RedeemForm, RemoveCards } from '../gift-cards/redeem-form.js';
import { cancelNote, EventArticle, Hold, OrderLines } from '../frame/order-summary.js';
import { orderWords, orderWordsFor } from '../frame/order.words.js';
import { Inbox, type SentMail } from '../inbox/inbox.js';
import { SameBefore } from './send-again.js';
import { Step } from '../frame/step.js';
import { WithdrawalRight } from '../frame/withdrawal-right.js';

interface Shown {
  readonly status?: number;
  readonly typed?: TypedContact;
  readonly faults?: ReadonlyMap<string, string>;
  /** The address of who is signed in. */
  readonly signedIn?: string | undefined;
  /** Path of an order with the same tickets that this browser completed before. */
  readonly same?: string | undefined;
  /** A code that was refused. */
  readonly code?: EnteredCode | undefined;
  /** A donation that was refused. */
  readonly donation?: TypedDonation | undefined;
  /** Why places for others were refused. */
  readonly places?: string | undefined;
  /** Why a gift card was refused, see `giftCardRefusalText`. */
  readonly gift?: string | undefined;
}

interface Answered {
  readonly order?: CompletedReservation;
  readonly venue: Venue;
  readonly status?: number | undefined;
  readonly pays?: boolean;
  readonly title?: string;
  /** Whether the tickets stand beside the rest. */
  readonly isBeside?: boolean;
  /** Absent: this browser holds nothing of the order any more. */
  readonly held?: HeldOrder | undefined;
  /** The body is the whole main part, without the heading of the event. */
  readonly isWhole?: boolean;
}

interface Paying {
  readonly hasFailed?: boolean;
  readonly gift?: string | undefined;
}

/** The pages of an order after its tickets were chosen. Personal, not cached. */
@Injectable()
export class OrderPagesService {
  constructor(
    private readonly events: PublicEventsService,
    private readonly mails: MailsService,
    private readonly checkouts: CheckoutsService,
    private readonly holders: HolderLinks,
    private readonly cancellations: HolderCancellationsService,
    private readonly giftCards: OrderGiftCardsService,
    private readonly transfers: BankTransfersService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The page with the contact form. */
  async contact(
    order: OrderedTickets,
    path: string,
    { status, typed = nothingTyped, faults = new Map(), signedIn, same, donation, code, places, gift }: Shown = {},
  ): Promise<Reply<string>> {
    const { timeZone } = currentTenant();
    const venue = await this.events.venue();
    const accounts = await this.checkouts.offered();
    const { reservation } = order;
    const { tickets, amount } = reservation;
    const cancelEnd = await this.cancellations.until(reservation.event);
    const giftCards = await this.giftCards.of(reservation.id, { amount, refusal: gift });
    const main = (
      <>
        <SameBefore path={same} />
        <Hold order={reservation} timeZone={timeZone} />
        <DiscountForm path={path} venue={venue} used={order.code} refused={code} />
        {order.canPayOnline && !costsNothing(amount) && <RedeemForm path={path} venue={venue} cards={giftCards} />}
        {asksWithOrders(venue) && order.canPayOnline && order.offeredTo === '' && (
          <AskDonation
            suggested={venue.donations}
            campaigns={venue.campaigns}
            action={`${path}/donation`}
            order={amount}
            refused={donation}
          />
        )}
        {order.offeredTo === '' &&
          order.offeredPlaces.map((offered) => <AskPlaces offered={offered} action={`${path}/places`} fault={places} />)}
        <ContactForm
          order={{ ...order, tickets, amount, rest: giftCards.rest, shownIds: tickets.map(({ id }) => id) }}
          path={path}
          language={currentLanguage()}
          timeZone={timeZone}
          hasTerms={venue.hasTerms === true}
          hasPrivacy={venue.hasPrivacy === true}
          isMailed={this.mails.deliver}
          canConfirm={this.mails.confirmAddresses}
          confirmation={venue.bookingConfirmation ?? 'link'}
          canFollow={venue.canBeFollowed === true}
          accounts={accounts}
          typed={typed}
          faults={faults}
          signedIn={signedIn}
          canChange
          more={<WithdrawalRight venue={venue} tickets={tickets} />}
          summary={
            <OrderLines
              order={reservation}
              used={order.code}
              missing={order.missingDiscounts}
              fault={faults.get('tickets')}
              note={cancelNote(reservation, cancelEnd)}
            />
          }
        />
      </>
    );
    return this.answer(main, {
      order: reservation,
      venue,
      status,
      pays: true,
      isBeside: false,
      held: reservation.expiresAt ? { path, count: tickets.length, until: reservation.expiresAt, slug: reservation.event.slug } : undefined,
    });
  }

  /** The page after a booking whose e-mail address is to be confirmed, and after the time for it. */
  async sent(reservation: WholeReservation, mail: SentMail): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = orderWordsFor(language, reservation.tickets);
    const { email, expiresAt, payUntil, payAtVenue, amount } = reservation;
    const price = moneyWords(amount, currency, language);
    const until = payUntil && untilWhen(payUntil, language, currentTenant().timeZone);
    const transfer = payAtVenue ? await this.transfers.instructionsOf(reservation) : undefined;
    const later = transfer ? words.sentTransfer(price, transferDay(transfer.dueOn, language)) : words.sentVenue(price, until ?? '');
    const after = until === null ? [] : [payAtVenue ? later : words.sentOnline(price)];
    const venue = await this.events.venue();
    const held = { parts: [reservation], heldUntil: expiresAt, words, text: words.sentText(email), after };
    const mailLink = this.mails.showsLinks ? this.holders.pathTo({ reservationId: reservation.id }, reservation.linkVersion) : undefined;
    const main = <Inbox {...held} mail={mail} venue={venue} isMailed={this.mails.deliver} mailLink={mailLink} />;
    return this.answer(main, { order: reservation, venue, status: mail.status, isWhole: true });
  }

  /** The page of a booked order for who is not known to be the buyer: the tickets are in the mail. */
  async booked(reservation: WholeReservation): Promise<Reply<string>> {
    const words = orderWordsFor(currentLanguage(), reservation.tickets);
    const main = (
      <>
        <Step title={words.bookedTitle} lines={[this.mails.deliver ? words.inMail : words.keptBooked]}>
          <p>
            <a href="/account">{pageWords[currentLanguage()].account}</a>
          </p>
        </Step>
      </>
    );
    return this.answer(main, { order: reservation, venue: await this.events.venue() });
  }

  /** The page of an order whose link has ended. */
  async ended(): Promise<Reply<string>> {
    const words = orderWords[currentLanguage()];
    const main = (
      <>
        <h1>{words.endedTitle}</h1>
        <p>{words.endedText}</p>
        <p>
          <a class="button" href="/account">
            {pageWords[currentLanguage()].account}
          </a>
        </p>
      </>
    );
    return this.answer(main, { venue: await this.events.venue(), status: 410, title: words.endedTitle });
  }

  /**
   * The page from which a payment that was not begun can be begun.
   * @param how.hasFailed the provider could not be reached
   * @param how.gift why a gift card was refused, see `giftCardRefusalText`
   */
  async pay(reservation: CompletedReservation, path: string, { hasFailed = false, gift }: Paying = {}): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = orderWordsFor(language, reservation.tickets);
    const rest = restWithCards(reservation.amount, reservation.payments);
    const main = (
      <>
        <Step title={words.payTitle} fault={hasFailed ? words.payFailed : giftCardRefusalText(gift)}>
          <Hold order={reservation} timeZone={currentTenant().timeZone} step="payText" />
          <form class="order" method="post" action={path}>
            <button class="button">{words.pay(moneyWords(rest, currency, language))}</button>
          </form>
          {isOfIssuer(gift) && <RemoveCards path={path} />}
        </Step>
      </>
    );
    return this.answer(main, { order: reservation, venue: await this.events.venue(), status: hasFailed ? 503 : 200, pays: true });
  }

  /** In a frame: a link that leaves it, because neither the payment nor the tickets may be shown on a page of another site. */
  async leave(reservation: WholeReservation, address: string): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = orderWordsFor(language, reservation.tickets);
    const { status, payments } = reservation;
    const amount = restWithCards(reservation.amount, payments);
    const pays = status === 'U';
    const main = (
      <>
        <Step title={pays ? words.payTitle : words.bookedTitle} lines={pays ? [] : [words.bookedText]}>
          {pays && <Hold order={reservation} timeZone={currentTenant().timeZone} step="payText" />}
          <p>
            <a class="button" href={address} target="_top">
              {pays ? words.pay(moneyWords(amount, currency, language)) : words.openTickets}
            </a>
          </p>
        </Step>
      </>
    );
    return this.answer(main, { order: reservation, venue: await this.events.venue() });
  }

  /** The page of an order that is deleted, because nobody completed it. */
  async gone(): Promise<Reply<string>> {
    const words = orderWords[currentLanguage()];
    const main = (
      <>
        <h1>{words.goneTitle}</h1>
        <p>{words.goneText}</p>
        <p>
          <a class="button" href="/">
            {words.backToAgenda}
          </a>
        </p>
      </>
    );
    return this.answer(main, { venue: await this.events.venue(), status: 410 });
  }

  private answer(
    body: ComponentChildren,
    { order, venue, status = 200, pays = false, title, isBeside = true, held, isWhole = false }: Answered,
  ): Reply<string> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const name = title ?? order?.event.name ?? orderWords[language].goneTitle;
    const main =
      order && !isWhole ? (
        <EventArticle event={order.event} timeZone={tenant.timeZone} side={isBeside && <OrderLines order={order} used={order.usedCode} />}>
          {body}
        </EventArticle>
      ) : (
        body
      );
    const sites = sitesOf(venue);
    const html = pageDocument({ tenant, language, title: `${name} · ${tenant.name}`, main, venue, hasScript: true, sheet: 'order', sites });
    return personalReply(html, { status, pays, sites, cookie: heldCookie(this.settings, held) });
  }
}
