import { Access, hasModule } from '#tenancy';
import { SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { kernelProblem, RefusedInput, siteOfClient } from '#kernel';
import { asksProvider, CartLinks, lookOf, pageTenant, reader } from '#page-kit';
import { PublicEventsService } from '#pages';
import { CheckoutOutcomesService, PaymentProviderRefused, PaymentProviderUnavailable } from '#payments';
import { DonationsService } from '#selling';
import { Body, Controller, Get, Ip, Param, Post, Query, UseGuards } from '@nestjs/common';
import { readDonation } from './ask-donation.js';
import { DonationPagesService } from './donation-pages.service.js';

/** Donations without tickets, where the venue suggests some. */
@Controller('donate')
@Access('public')
export class DonationsController {
  constructor(
    private readonly donations: DonationsService,
    private readonly pages: DonationPagesService,
    private readonly venue: PublicEventsService,
    private readonly links: CartLinks,
    private readonly outcomes: CheckoutOutcomesService,
  ) {}

  @Get()
  async form(): Promise<Reply<string>> {
    return this.pages.form(await this.suggested());
  }

  /** Leads to the payment. */
  @Post()
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['donation'] })
  async give(@Body() body: unknown, @Ip() client: string): Promise<Reply<string> | Reply<Redirection>> {
    const suggested = await this.suggested();
    if (suggested === undefined) return seeOther('/donate');
    const { typed, amount } = readDonation(body);
    try {
      return seeOther(await this.donations.give(amount, siteOfClient(client), (id) => this.links.donationPathTo(id)));
    } catch (error) {
      if (error instanceof RefusedInput) return this.pages.form(suggested, { status: 422, typed, fault: error.message });
      if (!(error instanceof PaymentProviderRefused || error instanceof PaymentProviderUnavailable)) throw error;
      return this.pages.form(suggested, { status: 503, typed });
    }
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

  /** @returns decimal texts, separated by spaces; undefined: the venue asks for no donations, or nothing can be paid online */
  private async suggested(): Promise<string | undefined> {
    donationTenant();
    const { donations } = await this.venue.venue();
    return (await this.donations.canGive()) ? (donations ?? undefined) : undefined;
  }
}

/** @throws Problem `route.unknown` for tenants without pages or payments */
function donationTenant(): void {
  pageTenant();
  if (!hasModule('ticketing')) throw kernelProblem('route.unknown');
}
