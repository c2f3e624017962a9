import { CatalogueModule } from '#catalogue';
import { TicketsModule } from '#tickets';
import { Module } from '@nestjs/common';
import { LegacyBookingsService } from './legacy-bookings.service.js';
import { LegacyEventsService } from './legacy-events.service.js';
import { LegacyEventsController } from './legacy-events.controller.js';
import { LegacyReservationsController } from './legacy-reservations.controller.js';
import { LegacyPricesController } from './products/legacy-prices.controller.js';
import { LegacyProductsController } from './products/legacy-products.controller.js';
import { LegacyTicketsController } from './legacy-tickets.controller.js';

@Module({
  imports: [CatalogueModule, TicketsModule],
  controllers: [
    LegacyEventsController,
    LegacyReservationsController,
    LegacyTicketsController,
    LegacyProductsController,
    LegacyPricesController,
  ],
  providers: [LegacyBookingsService, LegacyEventsService],
})
export class LegacyApiModule {}
