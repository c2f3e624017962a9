import { Module } from '@nestjs/common';
import { EventProduct } from './event-product.entity.js';
import { Event } from './event.entity.js';
import { Events } from './events.service.js';
import { PostalAddress } from './postal-address.entity.js';
import { PostalAddresses } from './postal-addresses.service.js';
import { Price } from './price.entity.js';
import { Prices } from './prices.service.js';
import { Product } from './product.entity.js';
import { Products } from './products.service.js';

export const catalogueEntities = [Product, Price, Event, EventProduct, PostalAddress];

@Module({
  providers: [Events, Products, Prices, PostalAddresses],
  exports: [Events, Products, Prices, PostalAddresses],
})
export class CatalogueModule {}
