import { pageFrame, personalReply, publicReply } from '#page-kit';
import { awaitsAddress, MembershipOrdersService, type AskedMembershipOffer, type Renewal, type WholeMembership } from '#memberships';
import { MailsService } from '#tickets';
import type { Reply } from '#http';
import { currentLanguage, databaseNow, dotted, escapeHtml, SETTINGS, type Settings } from '#kernel';
import { bookingWords, PublicEventsService } from '#pages';
import { currentTenant, tenantUrl } from '#tenancy';
import { Inject, Injectable } from '@nestjs/common';
import { nothingTyped, type TypedContact } from '../order/contact-form.dto.js';
import { joiningFormHtml, membershipOffersHtml, periodWords, renewalFormHtml } from './membership-forms.html.js';
import { formAgainHtml } from '../order/send-again.html.js';
import { mailedStepHtml, stepHtml } from '../order/step.html.js';
import { orderWords } from '../order/order.words.js';
import { membershipWords } from './membership.words.js';
import { closedWords, isFree, nextChange } from './offer-words.js';

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

interface Shown extends Refused {
  readonly path: string;
  readonly typed?: TypedContact;
}

/** The pages of memberships. */
@Injectable()
export class MembershipPagesService {
  constructor(
    private readonly orders: MembershipOrdersService,
    private readonly events: PublicEventsService,
    private readonly mails: MailsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** What can be joined, the same for everybody. */
  async offers(): Promise<Reply<string>> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const words = membershipWords[language];
    const [offers, canPay, venue] = [await this.orders.offers(), await this.orders.canPay(), await this.events.venue()];
    const isOnline = canPay || offers.some(isFree);
    const lead = isOnline || offers.length === 0 ? words.lead : words.leadVenue;
    const hasCart = await this.events.sellsOthers(noEvent, databaseNow());
    const cart = hasCart && canPay ? `\n<p><a href="/cart">${escapeHtml(bookingWords[language].cart)}</a></p>` : '';
    const main = `<p class="back"><a href="/">← ${escapeHtml(orderWords[language].backToAgenda)}</a></p>
<article class="holder order-page">
<header><h1>${escapeHtml(words.title)}</h1>
<p>${escapeHtml(lead)}</p></header>\n${membershipOffersHtml(offers, { canPay, hasCart }, language)}${cart}\n</article>`;
    const summary = { canonical: tenantUrl(this.settings, tenant, '/memberships'), description: lead };
    const title = `${words.title} · ${tenant.name}`;
    return publicReply('text/html', pageFrame({ tenant, language, title, main, venue, summary, address: '/memberships' }), {
      hasForm: hasCart,
      changesAt: nextChange(offers, databaseNow()),
    });
  }

  /** The form to join. */
  async form(offer: AskedMembershipOffer, token: string, shown: Shown): Promise<Reply<string>> {
    const language = currentLanguage();
    const { path, status, typed = nothingTyped, faults = new Map(), notice } = shown;
    const form = joiningFormHtml(offer, token, { path, language, hasTerms: await this.events.hasTerms(), typed, faults, notice });
    return this.answer(offer.product, dotted([offer.name, periodWords(offer, language)]), form, status);
  }

  /** The page of an offer at which nobody can join online now; undefined: one can. */
  async closed(offer: AskedMembershipOffer, status = 200): Promise<Reply<string> | undefined> {
    const language = currentLanguage();
    const text = closedWords(offer, await this.orders.canPay(), language);
    if (text === undefined) return undefined;
    const body = `<section class="step"><p>${escapeHtml(text)}</p></section>`;
    return this.answer(offer.product, dotted([offer.name, periodWords(offer, language)]), body, status);
  }

  /** The page from which a membership is renewed. */
  async renewal(renewal: Renewal, { path, status, typed = nothingTyped, faults = new Map(), notice }: Shown): Promise<Reply<string>> {
    const { membership } = renewal;
    const shown = { path, language: currentLanguage(), hasTerms: await this.events.hasTerms(), typed, faults, notice };
    const canPay = await this.orders.canPay();
    const name = `${membership.firstName} ${membership.lastName}`.trim() || membership.email;
    return this.answer(membership.product.name, name, renewalFormHtml(renewal, currentTenant().timeZone, canPay, shown), status);
  }

  /** The page after a free membership: confirm by mail, or the card was mailed. */
  sent(membership: WholeMembership): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = membershipWords[language];
    const { email } = membership;
    const text = awaitsAddress(membership) ? words.sentText(email) : words.cardSent(email);
    const said = { title: words.sent, text, kept: words.kept };
    const html = mailedStepHtml(this.mails.deliver, said, formAgainHtml(`/memberships/${membership.price.id}`));
    return this.answer(membership.product.name, membership.price.name, html);
  }

  /** The page behind the link in the mail: opening it changes nothing. */
  confirm(membership: WholeMembership, path: string): Promise<Reply<string>> {
    const words = membershipWords[currentLanguage()];
    const button = `<button class="button">${escapeHtml(words.confirm)}</button>`;
    const form = `<form class="order" method="post" action="${escapeHtml(path)}">${button}</form>`;
    return this.step(membership, words.confirmTitle, [words.confirmText], [form]);
  }

  /** A sentence about a membership that cannot go on. */
  refused(membership: WholeMembership, text: string, status: number): Promise<Reply<string>> {
    const words = membershipWords[currentLanguage()];
    const all = `<p><a class="button" href="/memberships">${escapeHtml(words.all)}</a></p>`;
    return this.step(membership, words.notDone, [text], [all], status);
  }

  private step(
    { product, price }: WholeMembership,
    title: string,
    lines: readonly string[],
    more: readonly string[] = [],
    status = 200,
  ): Promise<Reply<string>> {
    return this.answer(product.name, price.name, stepHtml(title, lines, { html: more }), status);
  }

  private async answer(title: string, lead: string, body: string, status = 200): Promise<Reply<string>> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const words = membershipWords[language];
    const main = `<p class="back"><a href="/memberships">← ${escapeHtml(words.all)}</a></p>
<article class="holder order-page">
<header>
<p class="kind">${escapeHtml(words.kind)}</p>
<h1 dir="auto">${escapeHtml(title)}</h1>
<p class="lead" dir="auto">${escapeHtml(lead)}</p>
</header>
${body}
</article>`;
    const html = pageFrame({
      tenant,
      language,
      title: `${title} · ${tenant.name}`,
      main,
      venue: await this.events.venue(),
      hasScript: true,
    });
    return personalReply(html, { status, pays: true });
  }
}
