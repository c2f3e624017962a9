import { Access, hasModule } from '#tenancy';
import { SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { kernelProblem, RefusedInput, siteOfClient } from '#kernel';
import { asksProvider, CartLinks, lookOf, pageTenant, reader } from '#page-kit';
import { PublicEventsService } from '#pages';
import { CheckoutOutcomesService, PaymentProviderRefused, PaymentProviderUnavailable } from '#payments';
import { CampaignsService, DonationsService, type ShownCampaign } from '#selling';
import { Body, Controller, Get, Ip, Param, Post, Query, UseGuards } from '@nestjs/common';
import { readDonation } from './ask-donation.js';
import { DonationPagesService, type Asked } from './donation-pages.service.js';

/** Donations without tickets: to the venue, where it suggests amounts, and for its campaigns. */
@Controller('donate')
@Access('public')
export class DonationsController {
  constructor(
    private readonly donations: DonationsService,
    private readonly campaigns: CampaignsService,
    private readonly pages: DonationPagesService,
    private readonly venue: PublicEventsService,
    private readonly links: CartLinks,
    private readonly outcomes: CheckoutOutcomesService,
  ) {}

  @Get()
  async form(): Promise<Reply<string>> {
    return this.pages.form(await this.asked());
  }

  /** Leads to the payment. */
  @Post()
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['donation'] })
  async give(@Body() body: unknown, @Ip() client: string): Promise<Reply<string> | Reply<Redirection>> {
    const asked = await this.asked();
    return asked.suggested == null ? seeOther('/donate') : this.begin(asked, body, client);
  }

  /** The page of a campaign. */
  @Get(':campaign')
  async campaign(@Param('campaign') id: string): Promise<Reply<string>> {
    return this.pages.form(await this.askedFor(id));
  }

  /** Gives for a campaign. Leads to the payment. */
  @Post(':campaign')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['donation'] })
  async giveFor(@Param('campaign') id: string, @Body() body: unknown, @Ip() client: string): Promise<Reply<string> | Reply<Redirection>> {
    const asked = await this.askedFor(id);
    return asked.canGive ? this.begin(asked, body, client) : seeOther(`/donate/${id}`);
  }

  /** What became of a donation. */
  @Get(':id/:mark')
  async show(@Param('id') id: string, @Param('mark') mark: string, @Query() query?: unknown): Promise<Reply<string>> {
    donationTenant();
    if (!this.links.opensDonation(id, mark)) throw kernelProblem('route.unknown');
    const found = await this.donations.find(id);
    const look = lookOf(reader(query)('paid'));
    // The provider's event may be lost.
    if (asksProvider(look)) await this.outcomes.askSoon(found.payments);
    return this.pages.given(found, this.links.donationPathTo(id), look);
  }

  private async begin(asked: Asked, body: unknown, client: string): Promise<Reply<string> | Reply<Redirection>> {
    const { typed, amount } = readDonation(body);
    const pathOf = (id: string): string => this.links.donationPathTo(id);
    try {
      return seeOther(await this.donations.give(amount, siteOfClient(client), pathOf, asked.campaign?.id));
    } catch (error) {
      if (error instanceof RefusedInput) return this.pages.form(asked, { status: 422, typed, fault: error.message });
      if (!(error instanceof PaymentProviderRefused || error instanceof PaymentProviderUnavailable)) throw error;
      return this.pages.form(asked, { status: 503, typed });
    }
  }

  /** What the page of the venue asks for. */
  private async asked(): Promise<Asked> {
    donationTenant();
    const { donations } = await this.venue.venue();
    return {
      suggested: donations,
      canGive: donations != null && (await this.donations.canGive()),
      campaigns: await this.campaigns.shown(),
    };
  }

  /** @throws Problem `route.unknown` when there is no such campaign */
  private async askedFor(id: string): Promise<Asked & { readonly campaign: ShownCampaign }> {
    donationTenant();
    const campaign = await this.campaigns.show(id);
    if (!campaign) throw kernelProblem('route.unknown');
    const { donations } = await this.venue.venue();
    const canGive = campaign.isTaking && (await this.donations.canGive());
    return { suggested: campaign.amounts ?? donations, canGive, campaigns: [], campaign };
  }
}

/** @throws Problem `route.unknown` for tenants without pages or payments */
function donationTenant(): void {
  pageTenant();
  if (!hasModule('ticketing')) throw kernelProblem('route.unknown');
}
