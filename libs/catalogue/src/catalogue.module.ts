import { Module } from '@nestjs/common';
import { TenantFoundations } from '#tenancy';
import { CatalogueHoldings } from './catalogue-holdings.js';
import { EventOption } from './events/event-option.entity.js';
import { EventNews } from './events/event-news.service.js';
import { EventProjections } from './events/event-projections.js';
import { EventOptionsService } from './events/event-options.service.js';
import { EventTag, Tag } from './events/tag.entity.js';
import { EventPrice } from './event-price.entity.js';
import { EventProduct } from './event-product.entity.js';
import { Event } from './event.entity.js';
import { Events } from './events.service.js';
import { ImageFetcher } from './images/image-fetcher.js';
import { Image, ImageVariant } from './images/image.entity.js';
import { ImagesController } from './images/images.controller.js';
import { Images } from './images/images.service.js';
import { LegacyPricesController } from './legacy/legacy-prices.controller.js';
import { LegacyProductsController } from './legacy/legacy-products.controller.js';
import { PostalAddress } from './postal-address.entity.js';
import { PostalAddresses } from './postal-addresses.service.js';
import { Price } from './price.entity.js';
import { Prices } from './prices.service.js';
import { Product } from './product.entity.js';
import { nameVolunteering } from './products/volunteering.js';
import { Products } from './products.service.js';
import { Question } from './questions/question.entity.js';
import { QuestionsService } from './questions/questions.service.js';

export const catalogueEntities = [
  Product,
  Price,
  Question,
  Event,
  EventProduct,
  EventPrice,
  EventOption,
  Tag,
  EventTag,
  PostalAddress,
  Image,
  ImageVariant,
];

@Module({
  controllers: [ImagesController, LegacyProductsController, LegacyPricesController],
  providers: [
    CatalogueHoldings,
    Events,
    EventNews,
    EventProjections,
    EventOptionsService,
    Products,
    Prices,
    QuestionsService,
    PostalAddresses,
    Images,
    ImageFetcher,
  ],
  exports: [Events, EventProjections, EventOptionsService, Products, Prices, QuestionsService, PostalAddresses, Images, ImageFetcher],
})
export class CatalogueModule {
  constructor(foundations: TenantFoundations) {
    foundations.add((tx, { language }) => nameVolunteering(tx, language));
  }
}
