import { CartLinks, heldCookie, type HeldOrder, lookingAgain, OrderLinks, pageDocument, personalReply, sitesOf } from '#page-kit';
import { giftCardRefusalText, isOfIssuer } from '#gift-cards';
import { MembershipRenewalsService, type WholeMembership } from '#memberships';
import {
  cartAmount,
  type CartContents,
  type ChosenMembership,
  type OrderedCart,
  type RefusedCartPart,
  TaxReceiptsService,
  VenueInsteadService,
} from '#selling';
import { awaitsConfirmation, HolderCancellationsService, HolderLinks, MailsService, RefusedBooking, type WholeReservation } from '#tickets';
import type { Reply } from '#http';
import { currentLanguage, SETTINGS, type Settings } from '#kernel';
import { donationAmong } from '#orders';
import { PublicEventsService } from '#pages';
import { CheckoutsService } from '#payments';
import { currentTenant } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import type { VNode } from 'preact';
import { OrderGiftCardsService } from '../gift-cards/order-gift-cards.service.js';
import { RemoveCards } from '../gift-cards/redeem-form.js';
import { OrderArticle } from '../frame/order-article.js';
import { nothingTyped, type TypedContact } from '../order/contact-form.dto.js';
import { leadsToHolder } from '../order/order-link.js';
import { leftWords } from '../order/order-steps.js';
import { orderWords } from '../frame/order.words.js';
import type { SentMail } from '../inbox/inbox.js';
import { heldUntil, ticketsIn } from './cart-order.js';
import { CartInbox, CompletedCart, EndedCart, nextStep } from './cart-completed.js';
import { CartContact, EmptyCart, OpenCart, type ShownCart } from './cart-open.js';
import { CartHold } from './cart.js';
import { cartWords, cartWordsFor } from './cart.words.js';

interface Contact {
  readonly status?: number;
  readonly typed?: TypedContact;
  readonly faults?: ReadonlyMap<string, string>;
  /** Faults of parts and memberships, by their id. */
  readonly partFaults?: ReadonlyMap<string, string>;
  /** The address of who is signed in. */
  readonly signedIn?: string | undefined;
  /** Why a gift card was refused, see `giftCardRefusalText`. */
  readonly gift?: string | undefined;
}

interface Completed {
  readonly look?: number;
  /** Of the answer. */
  readonly status?: number;
  /** Why a gift card was refused, see `giftCardRefusalText`. */
  readonly gift?: string | undefined;
  /** Why the last attempt failed; default: that refusal. */
  readonly fault?: string | undefined;
  readonly signedIn?: string | undefined;
  /** Undefined: a corrected address is shown to nobody who has an older link. */
  readonly mail?: SentMail | undefined;
}

interface Answer {
  readonly status?: number | undefined;
  /** Path of the page before; default: the agenda. */
  readonly back?: string;
  /** Path of the next look for a payment. */
  readonly again?: string | undefined;
  readonly pays?: boolean;
  /** What this browser holds of the cart. */
  readonly held?: HeldOrder | undefined;
  /** The body is the whole main part, with its heading. */
  readonly isWhole?: boolean;
  /** The sites in whose frames it may be shown. */
  readonly sites?: readonly string[];
}

/** The pages of a cart. Personal, not cached. */
@Injectable()
export class CartPagesService {
  constructor(
    private readonly events: PublicEventsService,
    private readonly mails: MailsService,
    private readonly orders: OrderLinks,
    private readonly holders: HolderLinks,
    private readonly cancellations: HolderCancellationsService,
    private readonly checkouts: CheckoutsService,
    private readonly venueInstead: VenueInsteadService,
    private readonly renewals: MembershipRenewalsService,
    private readonly taxReceipts: TaxReceiptsService,
    private readonly carts: CartLinks,
    private readonly giftCards: OrderGiftCardsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Path of the form with the tickets of a part. */
  private readonly changeOf = (part: WholeReservation): string => `${this.orders.pathTo(part.id)}/tickets`;

  empty(): Promise<Reply<string>> {
    return this.answer(cartWords[currentLanguage()].title, <EmptyCart />);
  }

  /** The page of a completed cart whose link has ended. */
  ended(): Promise<Reply<string>> {
    return this.answer(orderWords[currentLanguage()].endedTitle, <EndedCart />, { status: 410 });
  }

  /** What the cart contains. */
  async cart(cart: OrderedCart, path: string, shown: ShownCart = {}): Promise<Reply<string>> {
    const { faults, refused, code, places } = shown;
    const open = <OpenCart cart={cart} path={path} changeOf={this.changeOf} venue={await this.events.venue()} {...shown} />;
    const status = code || (faults && faults.size > 0) ? 409 : refused || places ? 422 : 200;
    return this.answer(cartWords[currentLanguage()].title, open, { status, held: heldIn(cart, path) });
  }

  /** In a frame: a link that leaves it, because a cart is not shown on pages of other sites. A pass leads there. */
  async leave(cart: OrderedCart, path: string): Promise<Reply<string>> {
    const words = cartWords[currentLanguage()];
    const step = (
      <>
        <CartHold parts={cart.parts} />
        <p>
          <a class="button" href={path} target="_top">
            {words.proceed}
          </a>
        </p>
      </>
    );
    return this.answer(words.title, step, { sites: sitesOf(await this.events.venue()) });
  }

  /** The contact form for everything in the cart. What is refused can be changed or removed there. */
  async contact(
    id: string,
    cart: OrderedCart,
    path: string,
    { status, typed = nothingTyped, faults = new Map(), partFaults = new Map(), signedIn, gift }: Contact = {},
  ): Promise<Reply<string>> {
    const language = currentLanguage();
    const { timeZone } = currentTenant();
    const venue = await this.events.venue();
    const { hasTerms = false, hasPrivacy = false, bookingConfirmation: confirmation = 'link', canBeFollowed: canFollow = false } = venue;
    const accounts = await this.checkouts.offered();
    const listed = new Map([...named(partFaults, cart), ...faults]);
    const form = {
      language,
      timeZone,
      hasTerms,
      hasPrivacy,
      isMailed: this.mails.deliver,
      canConfirm: this.mails.confirmAddresses,
      confirmation,
      canFollow,
      accounts,
      typed,
      faults: listed,
      signedIn,
    };
    const ends = new Map<string, Date | undefined>();
    for (const { id: partId, event } of cart.parts) ends.set(partId, await this.cancellations.until(event));
    const giftCards = await this.giftCards.of(id, {
      amount: cartAmount(cart),
      beside: cartAmount({ ...cart, parts: [], chosen: [] }),
      refusal: gift,
    });
    const renewable = await this.renewable(cart);
    const shown = { cart, path, changeOf: this.changeOf, form, partFaults, renewable, venue, ends, giftCards };
    const main = <CartContact {...shown} />;
    return this.answer(orderWords[language].kind, main, { status, back: path, pays: true, held: heldIn(cart, path) });
  }

  /** The memberships of an open cart that can be renewed by themselves. */
  async renewable({ chosen }: OrderedCart): Promise<readonly ChosenMembership[]> {
    const found: ChosenMembership[] = [];
    for (const one of chosen) if (await this.renewals.isOffered(one)) found.push(one);
    return found;
  }

  /** A completed cart: what comes next, and the state of each part. */
  async completed(
    cart: CartContents,
    path: string,
    { look = 0, status = 200, gift, fault = giftCardRefusalText(gift), signedIn, mail }: Completed = {},
  ): Promise<Reply<string>> {
    const isHidden = !cart.parts.every((part) => leadsToHolder(part, signedIn));
    const isMailed = this.mails.deliver;
    // The holder's page is not shown before the mail was opened when it confirms the address.
    const pathOf = (part: WholeReservation): string => this.holders.pathTo({ reservationId: part.id }, part.linkVersion);
    const linkOf = (part: WholeReservation): string | undefined =>
      awaitsConfirmation(part) || !leadsToHolder(part, signedIn) ? undefined : pathOf(part);
    const mailLinkOf = (part: WholeReservation): string | undefined => (this.mails.showsLinks ? pathOf(part) : undefined);
    const cardOf = (one: WholeMembership): string | undefined =>
      one.status === 'active' && leadsToHolder(one, signedIn) ? this.holders.pathTo({ membershipId: one.id }, one.linkVersion) : undefined;
    const shown = { cart, linkOf, cardOf, donationPath: await this.donationPathOf(cart) };
    const title = orderWords[currentLanguage()].kind;
    const awaiting = cart.parts.filter(awaitsConfirmation);
    if (awaiting.length > 0 && mail) {
      const venue = await this.events.venue();
      const facts = { ...shown, awaiting, mail, mailLinkOf, venue, isMailed };
      const inbox = <CartInbox {...facts} />;
      return this.answer(title, inbox, { status: mail.status, pays: true, isWhole: true });
    }
    const onlineOnly = await this.venueInstead.onlineOnly(cart);
    const { step, again } = nextStep(cart, { path, look, fault, isHidden, isMailed, onlineOnly });
    const main = (
      <>
        <CompletedCart {...shown} step={step} />
        {isOfIssuer(gift) && <RemoveCards path={path} />}
      </>
    );
    return this.answer(title, main, { status, again, pays: true });
  }

  /** The path of the cart's donation, when it has a tax receipt or can have one. */
  private async donationPathOf({ parts, memberships, own }: CartContents): Promise<string | undefined> {
    const id = [...parts, ...memberships][0]?.cartId;
    if (donationAmong(own)?.isPaid !== true || id == null || !(await this.taxReceipts.isFor(id))) return undefined;
    return this.carts.donationPathTo(id);
  }

  /** Why a part of the cart is refused, with what is still possible. */
  partFault({ cause, partId }: RefusedCartPart, { chosen, parts }: OrderedCart, text: string): string {
    const part = parts.find(({ id }) => id === partId);
    const words = part ? cartWordsFor(currentLanguage(), part) : cartWords[currentLanguage()];
    const isMembership = chosen.some(({ id }) => id === partId);
    if (cause instanceof RefusedBooking && cause.reason === 'sold_out') {
      if (isMembership) return words.membershipSoldOut;
      const left = leftWords(cause, part?.tickets ?? [], currentLanguage());
      return left === undefined ? words.soldOut : `${left} ${words.changeOrRemove}`;
    }
    return isMembership ? words.membershipGone : text;
  }

  private async answer(
    title: string,
    body: VNode,
    { status = 200, back, again, pays = false, held, isWhole, sites = [] }: Answer = {},
  ): Promise<Reply<string>> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const label = back === undefined ? orderWords[language].backToAgenda : cartWords[language].back;
    const main = isWhole ? (
      body
    ) : (
      <OrderArticle back={{ path: back ?? '/', label }} header={<h1>{title}</h1>}>
        {body}
      </OrderArticle>
    );
    const venue = await this.events.venue();
    const text = `${title} · ${tenant.name}`;
    const html = pageDocument({
      tenant,
      language,
      title: text,
      main,
      venue,
      head: lookingAgain(again),
      hasScript: true,
      sheet: 'order',
      sites,
    });
    return personalReply(html, { status, pays, sites, cookie: heldCookie(this.settings, held) });
  }
}

/** What the browser holds of a cart; undefined: no tickets, or their hold has ended. */
function heldIn({ parts }: OrderedCart, path: string): HeldOrder | undefined {
  const until = heldUntil(parts);
  return until ? { path, count: ticketsIn(parts).length, until } : undefined;
}

/** Faults of parts and memberships for the list above a form, which names what each is about. */
function named(faults: ReadonlyMap<string, string>, { parts, chosen }: OrderedCart): Map<string, string> {
  const names = new Map([
    ...parts.map(({ id, event }) => [id, event.name] as const),
    ...chosen.map(({ id, product }) => [id, product] as const),
  ]);
  return new Map([...faults].map(([id, text]) => [`part-${id}`, `${names.get(id) ?? ''} – ${text}`]));
}
