import { SameOriginGuard, seeOther, TakesForm, type Redirection, type Reply } from '#http';
import { clientNetworks, isUuid, kernelProblem, RefusedInput } from '#kernel';
import { CartLinks, pageTenant, reader, valuesOf } from '#page-kit';
import { CartCompletionService, CartsService } from '#selling';
import { Access } from '#tenancy';
import { Body, Controller, Ip, Param, Post, UseGuards } from '@nestjs/common';
import { CartPagesService } from '../cart/cart-pages.service.js';

/** Chooses the dates of a pass in a cart. */
@Controller('cart')
@Access('public')
export class PassDatesController {
  constructor(
    private readonly carts: CartsService,
    private readonly orders: CartCompletionService,
    private readonly links: CartLinks,
    private readonly pages: CartPagesService,
  ) {}

  @Post(':id/:mark/dates')
  @UseGuards(SameOriginGuard)
  @TakesForm({ required: ['price'] })
  async choose(
    @Param('id') id: string,
    @Param('mark') mark: string,
    @Body() body: unknown,
    @Ip() client: string,
  ): Promise<Reply<string> | Reply<Redirection>> {
    pageTenant();
    if (!this.links.opens(id, mark)) throw kernelProblem('route.unknown');
    const [path, price] = [this.links.pathTo(id), reader(body)('price').toLowerCase()];
    const dates = valuesOf(body, 'date').map((date) => date.toLowerCase());
    if (!isUuid(price) || !dates.every(isUuid)) throw kernelProblem('route.unknown');
    try {
      await this.carts.chooseDates(id, price, dates, clientNetworks(client));
      return seeOther(path);
    } catch (error) {
      if (!(error instanceof RefusedInput)) throw error;
      const cart = await this.orders.find(id);
      return cart.isOpen ? this.pages.cart(cart, path, { faults: new Map([[price, error.message]]) }) : seeOther(path);
    }
  }
}
