import type { Reply } from '#http';
import { kernelProblem } from '#kernel';
import { pageTenant } from '#page-kit';
import { Access, hasModule } from '#tenancy';
import { Controller, Get, Query } from '@nestjs/common';
import { GoodsPagesService } from './goods-pages.service.js';

/** The page with the goods of the venue. `CartController` takes its forms. */
@Controller('shop')
@Access('public')
export class GoodsController {
  constructor(private readonly pages: GoodsPagesService) {}

  @Get()
  show(@Query('at') at?: unknown): Promise<Reply<string>> {
    pageTenant();
    if (!hasModule('ticketing')) throw kernelProblem('route.unknown');
    return this.pages.goods(typeof at === 'string' ? at : undefined);
  }
}
