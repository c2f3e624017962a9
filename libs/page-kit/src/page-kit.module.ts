import { HoldersModule } from '#holders';
import { Module, type MiddlewareConsumer, type NestModule } from '@nestjs/common';
import compression from 'compression';
import { AccountReader } from './account/account-reader.service.js';
import { CartLinks } from './links/cart-links.js';
import { OrderLinks } from './links/order-links.js';
import { PageAssetsController } from './style/page-assets.controller.js';

/** What the public pages and the shop share: frame, forms, style, links and the reader of accounts. */
@Module({
  imports: [HoldersModule],
  controllers: [PageAssetsController],
  providers: [AccountReader, OrderLinks, CartLinks],
  exports: [AccountReader, OrderLinks, CartLinks],
})
export class PageKitModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(compression()).forRoutes(PageAssetsController);
  }
}
