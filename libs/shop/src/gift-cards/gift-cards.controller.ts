import { GiftCardLinks, GiftCardPurchasesService, GiftCardRedemptionService, RefusedGiftCard } from '#gift-cards';
import { SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { kernelProblem, RefusedInput, siteOfClient } from '#kernel';
import { GiftCardDocumentsService } from '#notices';
import { asksProvider, lookOf, pageTenant, reader } from '#page-kit';
import { fileReply, PublicEventsService } from '#pages';
import { CheckoutOutcomesService, PaymentProviderRefused, PaymentProviderUnavailable } from '#payments';
import { Access, hasModule } from '#tenancy';
import { Body, Controller, Get, Ip, Param, Post, Query, UseGuards } from '@nestjs/common';
import { giftCardFields } from './gift-card-form.js';
import { GiftCardPagesService } from './gift-card-pages.service.js';

/** Gift cards: bought where the venue offers amounts, and their balance. */
@Controller('gift-card')
@Access('public')
export class GiftCardsController {
  constructor(
    private readonly purchases: GiftCardPurchasesService,
    private readonly cards: GiftCardRedemptionService,
    private readonly pages: GiftCardPagesService,
    private readonly documents: GiftCardDocumentsService,
    private readonly venue: PublicEventsService,
    private readonly links: GiftCardLinks,
    private readonly outcomes: CheckoutOutcomesService,
  ) {}

  @Get()
  async form(): Promise<Reply<string>> {
    return this.pages.form(await this.suggested());
  }

  /** Leads to the payment. */
  @Post()
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: [...giftCardFields] })
  async buy(@Body() body: unknown, @Ip() client: string): Promise<Reply<string> | Reply<Redirection>> {
    const suggested = await this.suggested();
    if (suggested === undefined) return seeOther('/gift-card');
    const read = reader(body);
    try {
      const wanted = {
        amount: (read('amount').trim() || read('suggested')).slice(0, 20),
        message: read('message'),
        recipientName: read('recipientName'),
        recipientEmail: read('recipientEmail'),
        sendOn: read('sendOn'),
        buyerName: read('buyerName'),
        buyerEmail: read('buyerEmail'),
        refusesTerms: (await this.venue.hasTerms()) && read('terms') === '',
      };
      return seeOther(await this.purchases.buy(wanted, siteOfClient(client), (id) => this.links.pathTo(id)));
    } catch (error) {
      if (error instanceof RefusedInput) return this.pages.form(suggested, { status: 422, body, faults: error.faults });
      if (!(error instanceof PaymentProviderRefused || error instanceof PaymentProviderUnavailable)) throw error;
      return this.pages.form(suggested, { status: 503, body, faults: [] });
    }
  }

  /** The field for a code, which the QR code of a card fills. Nothing is looked up before the form is sent. */
  @Get('balance')
  balance(@Query() query?: unknown): Promise<Reply<string>> {
    cardTenant();
    return this.pages.balance({ typed: reader(query)('code').slice(0, 40) });
  }

  @Post('balance')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['giftCard'] })
  async showBalance(@Body() body: unknown, @Ip() client: string): Promise<Reply<string>> {
    cardTenant();
    const typed = reader(body)('giftCard').slice(0, 100);
    try {
      return await this.pages.balance({ typed: typed.slice(0, 40), card: await this.cards.look(typed, { client }) });
    } catch (error) {
      if (!(error instanceof RefusedGiftCard)) throw error;
      return this.pages.balance({ typed: typed.slice(0, 40), fault: error.message, status: error.reason === 'tries' ? 429 : 422 });
    }
  }

  /** What became of a purchase. */
  @Get(':id/:mark')
  async show(@Param('id') id: string, @Param('mark') mark: string, @Query() query?: unknown): Promise<Reply<string>> {
    this.check(id, mark);
    const bought = await this.purchases.find(id);
    const look = lookOf(reader(query)('paid'));
    // The provider's event may be lost.
    if (asksProvider(look)) await this.outcomes.askSoon(bought.payments);
    return this.pages.bought(bought, this.links.pathTo(id), look);
  }

  /** The card to print, once it is paid. */
  @Get(':id/:mark/gift-card.pdf')
  async pdf(@Param('id') id: string, @Param('mark') mark: string): Promise<Reply<Buffer>> {
    this.check(id, mark);
    const { card } = await this.purchases.find(id);
    const sheet = card?.state === 'usable' ? await this.documents.sheetOf(card, 'public') : undefined;
    if (!sheet) throw kernelProblem('route.unknown');
    return fileReply('application/pdf', 'gift-card.pdf', sheet);
  }

  /** @throws Problem `route.unknown` when the link is not valid */
  private check(id: string, mark: string): void {
    cardTenant();
    if (!this.links.opens(id, mark)) throw kernelProblem('route.unknown');
  }

  /** @returns decimal texts, separated by spaces; undefined: the venue sells no cards, or nothing can be paid online */
  private async suggested(): Promise<string | undefined> {
    cardTenant();
    const { giftCards } = await this.venue.venue();
    return (await this.purchases.canBuy()) ? (giftCards ?? undefined) : undefined;
  }
}

/** @throws Problem `route.unknown` for tenants without pages or payments */
function cardTenant(): void {
  pageTenant();
  if (!hasModule('ticketing')) throw kernelProblem('route.unknown');
}
