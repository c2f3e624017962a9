import { pageDocument, personalReply, publicReply } from '#page-kit';
import {
  awaitsAddress,
  isFreeOffer,
  MembershipOrdersService,
  MembershipRenewalsService,
  type AskedMembershipOffer,
  type Renewal,
  type WholeMembership,
} from '#memberships';
import { HolderLinks, MailsService } from '#tickets';
import type { Reply } from '#http';
import { currentLanguage, databaseNow, dotted, SETTINGS, type Settings } from '#kernel';
import { bookingWords, CodeForm, PublicEventsService } from '#pages';
import { currentTenant, tenantUrl } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import { nothingTyped, type TypedContact } from '../order/contact-form.dto.js';
import { OrderArticle } from '../frame/order-article.js';
import { orderWords } from '../frame/order.words.js';
import { FormAgain } from '../order/send-again.js';
import { MailedStep, Step } from '../frame/step.js';
import { Automatic, automaticText } from './automatic-renewal.js';
import { AllMemberships, JoiningForm, lastDay, RenewalForm } from './membership-forms.js';
import { MembershipOffers } from './membership-offers.js';
import type { CodedOffer } from './membership-codes.service.js';
import { membershipWords } from './membership.words.js';
import { closedWords, nextChange, periodWords } from './offer-words.js';

/** The id of no event. */
const noEvent = '00000000-0000-0000-0000-000000000000';

/** Why a form was not accepted. */
export interface Refused {
  readonly status?: number;
  /** By the id of the field. */
  readonly faults?: ReadonlyMap<string, string>;
  /** What is about no field. */
  readonly notice?: string;
}

interface Shown extends Refused, Omit<CodedOffer, 'offer'> {
  readonly path: string;
  readonly typed?: TypedContact;
}

/** The pages of memberships. */
@Injectable()
export class MembershipPagesService {
  constructor(
    private readonly orders: MembershipOrdersService,
    private readonly renewals: MembershipRenewalsService,
    private readonly events: PublicEventsService,
    private readonly mails: MailsService,
    private readonly holders: HolderLinks,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** What can be joined, the same for everybody. @param code goes on to the forms; empty: none */
  async offers(code: string): Promise<Reply<string>> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const words = membershipWords[language];
    const { offers, benefits } = await this.orders.shown();
    const [canPay, venue] = [await this.orders.canPay(), await this.events.venue()];
    const isOnline = canPay || offers.some(isFreeOffer);
    const lead = isOnline || offers.length === 0 ? words.lead : words.leadVenue;
    const hasCart = await this.events.sellsOthers(noEvent, databaseNow());
    const main = (
      <OrderArticle
        back={{ path: '/', label: orderWords[language].backToAgenda }}
        header={
          <>
            <h1>{words.title}</h1>
            <p>{lead}</p>
          </>
        }
      >
        <MembershipOffers offers={offers} benefits={benefits} selling={{ canPay, hasCart, code }} language={language} />
        {hasCart && canPay && (
          <p>
            <a href="/cart">{bookingWords[language].cart}</a>
          </p>
        )}
      </OrderArticle>
    );
    const summary = { canonical: tenantUrl(this.settings, tenant, '/memberships'), description: lead };
    const title = `${words.title} · ${tenant.name}`;
    return publicReply(
      'text/html',
      pageDocument({ tenant, language, title, main, venue, summary, address: '/memberships', sheet: 'shop' }),
      {
        hasForm: hasCart,
        changesAt: nextChange(offers, databaseNow()),
      },
    );
  }

  /** The form to join. */
  async form(offer: AskedMembershipOffer, token: string, shown: Shown): Promise<Reply<string>> {
    const { code, entered, path } = shown;
    const { hasCodes = false } = await this.events.venue();
    const form = (
      <>
        {(hasCodes || entered) && <CodeForm action={path} method="get" entered={entered} language={currentLanguage()} />}
        <JoiningForm offer={offer} token={token} code={code} shown={await this.shownForm(shown, offer)} />
      </>
    );
    return this.answer(offer.product, leadOf(offer), form, shown.status);
  }

  /** The page of an offer at which nobody can join online now; undefined: one can. */
  async closed(offer: AskedMembershipOffer, status = 200): Promise<Reply<string> | undefined> {
    const text = closedWords(offer, await this.orders.canPay(), currentLanguage());
    if (text === undefined) return undefined;
    const body = (
      <section class="notice step">
        <p>{text}</p>
      </section>
    );
    return this.answer(offer.product, leadOf(offer), body, status);
  }

  /** The page from which a membership is renewed. */
  async renewal(renewal: Renewal, shown: Shown): Promise<Reply<string>> {
    const { product, firstName, lastName, email } = renewal.membership;
    const [form, canPay] = [await this.shownForm(shown, renewal.offer), await this.orders.canPay()];
    const automatic = await this.renewals.find(renewal.membership.id);
    const path = shown.path.replace(/renew$/, 'stop-renewal');
    const body = (
      <>
        {automatic && <Automatic automatic={automatic} path={path} />}
        {automatic?.isUnderWay !== true && (
          <RenewalForm renewal={renewal} timeZone={currentTenant().timeZone} canPay={canPay} shown={form} />
        )}
      </>
    );
    return this.answer(product.name, `${firstName} ${lastName}`.trim() || email, body, shown.status);
  }

  /** The page after a free membership: confirm by mail, or the card was mailed. */
  sent(membership: WholeMembership): Promise<Reply<string>> {
    const words = membershipWords[currentLanguage()];
    const { email, product, price } = membership;
    const text = awaitsAddress(membership) ? words.sentText(email) : words.cardSent(email);
    const body = (
      <MailedStep
        isSent={this.mails.deliver}
        said={{ title: words.sent, text, kept: words.kept }}
        mailLink={this.mails.showsLinks ? this.linkOf(membership) : undefined}
      >
        <FormAgain path={`/memberships/${price.id}`} />
      </MailedStep>
    );
    return this.answer(product.name, price.name, body);
  }

  /** Path of the link of the mail: to confirm, or the card. */
  private linkOf(membership: WholeMembership): string {
    const path = this.holders.pathTo({ membershipId: membership.id }, membership.linkVersion);
    return awaitsAddress(membership) ? path.replace('/membership/', '/memberships/confirm/') : path;
  }

  /** The page behind the link in the mail: opening it changes nothing. */
  confirm({ product, price }: WholeMembership, path: string): Promise<Reply<string>> {
    const words = membershipWords[currentLanguage()];
    const body = (
      <Step title={words.confirmTitle} lines={[words.confirmText]}>
        <form class="order" method="post" action={path}>
          <button class="button">{words.confirm}</button>
        </form>
      </Step>
    );
    return this.answer(product.name, price.name, body);
  }

  /** A sentence about a membership that cannot go on. */
  refused({ product, price }: WholeMembership, text: string, status: number): Promise<Reply<string>> {
    const language = currentLanguage();
    const body = (
      <Step title={membershipWords[language].notDone} lines={[text]}>
        <AllMemberships language={language} />
      </Step>
    );
    return this.answer(product.name, price.name, body, status);
  }

  /** The page that ends the renewal by itself, or says that nothing is charged. */
  async stopping({ id, product, price, validUntil }: WholeMembership, path: string): Promise<Reply<string>> {
    const [language, { timeZone }] = [currentLanguage(), currentTenant()];
    const words = membershipWords[language];
    const automatic = await this.renewals.find(id);
    const end = validUntil === null ? words.endless : words.endsOn(lastDay(validUntil, language, timeZone));
    const body = automatic ? (
      <Step title={words.stopTitle} lines={[automaticText(automatic), end]}>
        <form class="order" method="post" action={`${path}/stop-renewal`}>
          <button class="button">{words.stop}</button>
        </form>
      </Step>
    ) : (
      <Step title={words.stoppedTitle} lines={[words.stopped, end]}>
        <p>
          <a href={path}>{words.card}</a>
        </p>
      </Step>
    );
    return this.answer(product.name, price.name, body);
  }

  private async shownForm({ path, typed = nothingTyped, faults = new Map(), notice }: Shown, offer?: AskedMembershipOffer) {
    const canRenew = offer !== undefined && (await this.renewals.isOffered(offer));
    const venue = await this.events.venue();
    const { hasTerms = false, hasPrivacy = false } = venue;
    return { path, language: currentLanguage(), hasTerms, hasPrivacy, venue, canRenew, typed, faults, notice };
  }

  private async answer(title: string, lead: string, body: ComponentChildren, status = 200): Promise<Reply<string>> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const words = membershipWords[language];
    const main = (
      <OrderArticle
        back={{ path: '/memberships', label: words.all }}
        header={
          <>
            <p class="caps">{words.kind}</p>
            <h1 dir="auto">{title}</h1>
            <p class="lead" dir="auto">
              {lead}
            </p>
          </>
        }
      >
        {body}
      </OrderArticle>
    );
    const venue = await this.events.venue();
    const html = pageDocument({ tenant, language, title: `${title} · ${tenant.name}`, main, venue, hasScript: true, sheet: 'shop' });
    return personalReply(html, { status, pays: true });
  }
}

/** `Season · one year`. */
function leadOf(offer: AskedMembershipOffer): string {
  return dotted([offer.name, periodWords(offer, currentLanguage())]);
}
