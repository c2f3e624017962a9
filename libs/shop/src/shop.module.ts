import { BookingModule } from '#booking';
import { PagesModule } from '#pages';
import { Module } from '@nestjs/common';
import { OrderController } from './order/order.controller.js';
import { OrderLinks } from './order/order-links.js';
import { OrderPagesService } from './order/order-pages.service.js';
import { TicketChoiceService } from './tickets/ticket-choice.service.js';
import { TicketsController } from './tickets/tickets.controller.js';

/** Booking on the public pages: tickets, contact, payment. */
@Module({
  imports: [BookingModule, PagesModule],
  controllers: [TicketsController, OrderController],
  providers: [OrderLinks, OrderPagesService, TicketChoiceService],
})
export class ShopModule {}
