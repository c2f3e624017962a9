import { SameOriginGuard, TakesForm, type Redirection, type Reply } from '#http';
import { isUuid, kernelProblem } from '#kernel';
import { CartLinks, OrderLinks, pageTenant, reader } from '#page-kit';
import { Access } from '#tenancy';
import { Body, Controller, Ip, Param, Post, UseGuards } from '@nestjs/common';
import { OrderGiftCardsService } from './order-gift-cards.service.js';

/** Gift cards that buyers enter for an order, or a cart. */
@Controller()
@Access('public')
export class EnteredGiftCardsController {
  constructor(
    private readonly cards: OrderGiftCardsService,
    private readonly orders: OrderLinks,
    private readonly carts: CartLinks,
  ) {}

  @Post('order/:id/:mark/gift-card')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['giftCard'] })
  ofOrder(@Param('id') id: string, @Param('mark') mark: string, @Body() body: unknown, @Ip() client: string): Promise<Reply<Redirection>> {
    pageTenant();
    if (!isUuid(id) || !this.orders.opens(id, mark)) throw kernelProblem('route.unknown');
    return this.cards.enter(id, reader(body)('giftCard'), client, this.orders.pathTo(id));
  }

  @Post('cart/:id/:mark/gift-card')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['giftCard'] })
  ofCart(@Param('id') id: string, @Param('mark') mark: string, @Body() body: unknown, @Ip() client: string): Promise<Reply<Redirection>> {
    pageTenant();
    if (!this.carts.opens(id, mark)) throw kernelProblem('route.unknown');
    return this.cards.enter(id, reader(body)('giftCard'), client, `${this.carts.pathTo(id)}/contact`);
  }
}
