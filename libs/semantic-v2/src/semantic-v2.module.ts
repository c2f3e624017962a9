import { Module } from '@nestjs/common';
import { CatalogueModule } from '#catalogue';
import { SemanticEventsController } from './events.controller.js';
import { SemanticPostalAddressesController } from './postal-addresses.controller.js';
import { SemanticProductsController } from './products.controller.js';

/** The API's version 2: the catalogue as schema.org. Owns no table. */
@Module({
  imports: [CatalogueModule],
  controllers: [SemanticEventsController, SemanticPostalAddressesController, SemanticProductsController],
})
export class SemanticV2Module {}
