import { AccountReader, pageTenant, reader } from '#page-kit';
import {
  MembershipOrdersService,
  MembershipRenewalsService,
  TooManyMemberships,
  type AskedMembershipOffer,
  type WholeMembership,
} from '#memberships';
import { HolderLinks, RefusedBooking } from '#tickets';
import { SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { currentLanguage, forEachLanguage, isUuid, kernelProblem, RefusedInput, siteOfClient } from '#kernel';
import { maximumWords, PublicEventsService } from '#pages';
import { checkoutUrlOf, PaymentProviderRefused, PaymentProviderUnavailable } from '#payments';
import { Access, hasModule } from '#tenancy';
import { Body, Controller, Get, Headers, Ip, Param, Post, Query, UseGuards } from '@nestjs/common';
import { contactFaults, knownContact, readContact, typedContact } from '../order/contact-form.dto.js';
import { isRenewable } from './membership-forms.js';
import { MembershipCodesService } from './membership-codes.service.js';
import { MembershipPagesService, type Refused } from './membership-pages.service.js';
import { membershipWords } from './membership.words.js';

type Shown = Reply<string> | Reply<Redirection>;

const joiningFields = ['form', 'email', 'first_name', 'last_name', 'amount', 'terms'] as const;

/** What can be joined, and joining and renewing online. */
@Controller()
@Access('public')
export class MembershipsController {
  constructor(
    private readonly orders: MembershipOrdersService,
    private readonly renewals: MembershipRenewalsService,
    private readonly codes: MembershipCodesService,
    private readonly pages: MembershipPagesService,
    private readonly holders: HolderLinks,
    private readonly venue: PublicEventsService,
    private readonly account: AccountReader,
  ) {}

  @Get('memberships')
  offers(@Query('code') code?: unknown): Promise<Shown> {
    demandMemberships();
    return this.pages.offers(typeof code === 'string' ? code.slice(0, 60).toWellFormed() : '');
  }

  @Get('memberships/:price')
  async form(
    @Param('price') price: string,
    @Ip() client: string,
    @Query('code') code?: unknown,
    @Headers('cookie') cookie?: string,
  ): Promise<Shown> {
    const { offer, ...coded } = await this.codes.at(await this.find(price), typeof code === 'string' ? code : '', client);
    const closed = await this.pages.closed(offer);
    if (closed) return closed;
    const typed = knownContact({ offeredTo: '' }, (await this.account.person(cookie))?.email);
    return this.pages.form(offer, this.orders.begin(offer.priceId), { path: `/memberships/${offer.priceId}`, typed, ...coded });
  }

  /** Joins once for each form, however often it is sent. */
  @Post('memberships/:price')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: joiningFields })
  async join(
    @Param('price') price: string,
    @Body() body: unknown,
    @Ip() client: string,
    @Headers('cookie') cookie?: string,
  ): Promise<Shown> {
    const textOf = reader(body);
    const full = await this.find(price);
    const { offer, ...coded } = await this.codes.at(full, textOf('code'), client, true);
    const closed = await this.pages.closed(offer, 409);
    if (closed) return closed;
    const language = currentLanguage();
    const [path, token] = [`/memberships/${offer.priceId}`, textOf('form').slice(0, 100)];
    const typed = typedContact(body);
    const settings = { language, hasTerms: await this.venue.hasTerms() };
    const signedIn = (await this.account.person(cookie))?.email;
    const contact = { ...readContact(body, { tickets: [] }, offer.questions, settings), signedIn };
    if (coded.entered?.fault !== undefined)
      return this.pages.form(offer, await this.orders.beginAgain(offer.priceId, token), { path, typed, ...coded, status: 409 });
    const amount = textOf('amount').trim().slice(0, 20).replace(',', '.');
    try {
      const chosen = offer.freeAmount && amount !== '' ? amount : undefined;
      const renewsItself = textOf('renews') !== '' && (await this.renewals.isOffered(offer));
      const { code } = coded;
      const form = { priceId: offer.priceId, token, contact, code, amount: chosen, renewsItself, network: siteOfClient(client) };
      const made = await this.orders.join(form);
      return made ? this.goOn(made) : seeOther(path);
    } catch (error) {
      const again = await this.orders.beginAgain(offer.priceId, token);
      if (error instanceof RefusedBooking && error.field === 'code')
        return this.pages.form(full, again, { path, typed, entered: { typed: textOf('code'), fault: error.message }, status: 409 });
      return this.pages.form(offer, again, {
        path,
        typed,
        ...coded,
        ...refusalOf(error, (one) => contactFaults(one, [], offer.questions)),
      });
    }
  }

  /** The page behind the link in a mail; POST confirms, because programs that check mails open links. */
  @Get('memberships/confirm/:id/:mark')
  async confirmPage(@Param('id') id: string, @Param('mark') mark: string): Promise<Shown> {
    const membership = await this.open(id, mark);
    return this.pages.confirm(membership, `/memberships/confirm/${id}/${mark}`);
  }

  @Post('memberships/confirm/:id/:mark')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async confirm(@Param('id') id: string, @Param('mark') mark: string): Promise<Shown> {
    const membership = await this.open(id, mark);
    try {
      await this.orders.verify(id, membership.linkVersion);
      return this.toHolder(membership);
    } catch (error) {
      if (!(error instanceof RefusedBooking)) throw error;
      return this.pages.refused(membership, personalWords(error), 409);
    }
  }

  @Get('membership/:id/:mark/renew')
  async renewPage(@Param('id') id: string, @Param('mark') mark: string): Promise<Shown> {
    await this.open(id, mark);
    const renewal = await this.orders.renewal(id);
    if (!renewal) throw kernelProblem('route.unknown');
    return this.pages.renewal(renewal, { path: `/membership/${id}/${mark}/renew` });
  }

  @Post('membership/:id/:mark/renew')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['terms'] })
  async renew(@Param('id') id: string, @Param('mark') mark: string, @Body() body: unknown, @Ip() client: string): Promise<Shown> {
    await this.open(id, mark);
    const path = `/membership/${id}/${mark}/renew`;
    const renewal = await this.orders.renewal(id);
    const isOnSale = renewal?.offer?.sale === 'open' && !renewal.offer.soldOut;
    if (!isOnSale || !isRenewable(renewal) || renewal.next?.status === 'active') return seeOther(path);
    if ((await this.renewals.find(id))?.isUnderWay) return seeOther(path);
    const hasTerms = await this.venue.hasTerms();
    const acceptsTerms = hasTerms ? reader(body)('terms') !== '' : undefined;
    try {
      const renewsItself = reader(body)('renews') !== '' && (await this.renewals.isOffered(renewal.offer));
      const contact = { acceptsTerms, renewsItself, language: currentLanguage() };
      return await this.goOn(await this.orders.renew(renewal, contact, siteOfClient(client)));
    } catch (error) {
      const refusal = refusalOf(error, (one) => contactFaults(one, [], []), ['terms']);
      return this.pages.renewal(renewal, { path, typed: typedContact(body), ...refusal });
    }
  }

  /** The page that ends the renewal by itself; POST ends it, because programs that check mails open links. */
  @Get('membership/:id/:mark/stop-renewal')
  async stopPage(@Param('id') id: string, @Param('mark') mark: string): Promise<Shown> {
    const membership = await this.open(id, mark);
    return this.pages.stopping(membership, `/membership/${id}/${mark}`);
  }

  @Post('membership/:id/:mark/stop-renewal')
  @UseGuards(SameOriginGuard)
  @TakesForm()
  async stop(@Param('id') id: string, @Param('mark') mark: string): Promise<Shown> {
    await this.open(id, mark);
    await this.renewals.stop(id);
    return seeOther(`/membership/${id}/${mark}/stop-renewal`);
  }

  /** After the form: to the payment, or to the page that says what was mailed. */
  private async goOn(membership: WholeMembership): Promise<Shown> {
    const checkout = membership.status === 'pending' ? checkoutUrlOf(membership.payments) : undefined;
    if (checkout !== undefined) return seeOther(checkout);
    return this.pages.sent(membership);
  }

  private toHolder({ id, linkVersion }: WholeMembership): Shown {
    return seeOther(this.holders.pathTo({ membershipId: id }, linkVersion));
  }

  /** @throws Problem `route.unknown` when no such price is sold */
  private async find(price: string): Promise<AskedMembershipOffer> {
    demandMemberships();
    const offer = isUuid(price) ? await this.orders.offer(price) : undefined;
    if (!offer) throw kernelProblem('route.unknown');
    return offer;
  }

  /** @throws Problem `route.unknown` when the link is not valid */
  private async open(id: string, mark: string): Promise<WholeMembership> {
    demandMemberships();
    const found = isUuid(id) ? await this.orders.renewal(id) : undefined;
    if (!found || !this.holders.opens({ membershipId: id }, mark, found.membership.linkVersion)) throw kernelProblem('route.unknown');
    return found.membership;
  }
}

/** @throws Problem `route.unknown` in a tenant without memberships */
function demandMemberships(): void {
  pageTenant();
  if (!hasModule('membership')) throw kernelProblem('route.unknown');
}

/**
 * A refusal as the form shows it; throws every other error.
 * @param faultsOf by the id of the field
 * @param fields fields of the form; what is about another one stands above it. Default: all but `form`
 */
function refusalOf(error: unknown, faultsOf: (refusal: RefusedInput) => ReadonlyMap<string, string>, fields?: readonly string[]): Refused {
  if (error instanceof PaymentProviderRefused || error instanceof PaymentProviderUnavailable)
    return { status: 503, notice: membershipWords[currentLanguage()].payFailed };
  if (!(error instanceof RefusedInput)) throw error;
  const isConflict = error instanceof RefusedBooking || error.field === 'form';
  const status = error instanceof TooManyMemberships ? 429 : isConflict ? 409 : 422;
  // What a person has is looked at only when the person is known.
  const faults = faultsOf(
    error instanceof RefusedBooking
      ? new RefusedInput(
          'email',
          forEachLanguage(() => personalWords(error)),
        )
      : error,
  );
  const isShown = [...faults.keys()].every((id) => (fields ? fields.includes(id) : id !== 'form'));
  return isShown ? { status, faults } : { status, notice: [...faults.values()].join(' ') };
}

/** A refusal for the person that it is about. */
function personalWords(error: RefusedBooking): string {
  return error.reason === 'limit_per_user' ? maximumWords(error, currentLanguage(), true) : error.message;
}
