import { Module } from '@nestjs/common';
import { MailModule } from '#mail';
import { Reservation } from './reservation.entity.js';
import { SigningKey } from './signing-key.entity.js';
import { SigningKeys } from './signing-keys.service.js';
import { Ticket } from './ticket.entity.js';
import { Tickets } from './tickets.service.js';

export const bookingEntities = [SigningKey, Reservation, Ticket];

@Module({ imports: [MailModule], providers: [SigningKeys, Tickets], exports: [SigningKeys, Tickets] })
export class BookingModule {}
