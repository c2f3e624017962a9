import { Module } from '@nestjs/common';
import { TenantFoundations } from '#tenancy';
import { CatalogueHoldings } from './catalogue-holdings.js';
import { EventCopiesService } from './copies/event-copies.service.js';
import { ProductCopiesService } from './copies/product-copies.service.js';
import { EventOption } from './entities/event-option.entity.js';
import { EventPreviewLinks } from './event-data/event-preview-links.service.js';
import { EventPublisherService } from './event-data/event-publisher.service.js';
import { StartMoves } from './events/start-moves.js';
import { EventProjections } from './event-queries/event-projections.js';
import { EventOptionsService } from './events/event-options.service.js';
import { EventTag, Tag } from './entities/tag.entity.js';
import { EventPrice } from './entities/event-price.entity.js';
import { EventProduct } from './entities/event-product.entity.js';
import { Event } from './entities/event.entity.js';
import { EventSeries } from './entities/event-series.entity.js';
import { GalleryPicture } from './entities/gallery-picture.entity.js';
import { EventsService } from './events/events.service.js';
import { SeriesService } from './series/series.service.js';
import { GalleriesService } from './galleries/galleries.service.js';
import { ImageFetcher } from './images/image-fetcher.js';
import { Image, ImageVariant } from './images/image.entity.js';
import { ImagesController } from './images/images.controller.js';
import { ImagesService } from './images/images.service.js';
import { PostalAddress } from './entities/postal-address.entity.js';
import { PostalAddressesService } from './addresses/postal-addresses.service.js';
import { Price } from './entities/price.entity.js';
import { PricesService } from './products/prices.service.js';
import { Product } from './entities/product.entity.js';
import { nameVolunteering } from './products/volunteering.js';
import { ProductsService } from './products/products.service.js';
import { Question } from './entities/question.entity.js';
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
  GalleryPicture,
  EventSeries,
];

@Module({
  controllers: [ImagesController],
  providers: [
    CatalogueHoldings,
    EventsService,
    EventCopiesService,
    SeriesService,
    ProductCopiesService,
    EventPreviewLinks,
    EventPublisherService,
    EventProjections,
    StartMoves,
    EventOptionsService,
    ProductsService,
    PricesService,
    QuestionsService,
    PostalAddressesService,
    ImagesService,
    GalleriesService,
    ImageFetcher,
  ],
  exports: [
    EventsService,
    EventCopiesService,
    SeriesService,
    ProductCopiesService,
    EventPreviewLinks,
    EventProjections,
    StartMoves,
    EventOptionsService,
    ProductsService,
    PricesService,
    QuestionsService,
    PostalAddressesService,
    ImagesService,
    GalleriesService,
    ImageFetcher,
  ],
})
export class CatalogueModule {
  constructor(foundations: TenantFoundations) {
    foundations.add((tx, { language }) => nameVolunteering(tx, language));
  }
}
