import { Module } from '@nestjs/common';
import { CatalogueModule } from '#catalogue';
import { Audit } from './audit.service.js';
import { Mail } from './mail/mail.entity.js';
import { Mails } from './mail/mails.service.js';
import { Membership } from './memberships/membership.entity.js';
import { Memberships } from './memberships/memberships.service.js';
import { Checkouts } from './payments/checkouts.service.js';
import { Payment, PaymentEvent } from './payments/payment.entity.js';
import { Payments } from './payments/payments.service.js';
import { Bookings } from './reservations/bookings.service.js';
import { EventCancellation } from './reservations/event-cancellation.entity.js';
import { EventCancellations } from './reservations/event-cancellations.service.js';
import { OnSale } from './reservations/on-sale.service.js';
import { Places } from './reservations/places.service.js';
import { ReservationChanges } from './reservations/reservation-changes.service.js';
import { ReservationNews } from './reservations/reservation-news.service.js';
import { ReservationOption } from './reservations/reservation-option.entity.js';
import { Reservation } from './reservations/reservation.entity.js';
import { Reservations } from './reservations/reservations.service.js';
import { VerifiedEmail } from './reservations/verified-email.entity.js';
import { SigningKey } from './signing-key.entity.js';
import { SigningKeys } from './signing-keys.service.js';
import { Ticket } from './ticket.entity.js';
import { Tickets } from './tickets.service.js';

export const bookingEntities = [
  SigningKey,
  Reservation,
  ReservationOption,
  Ticket,
  Membership,
  Payment,
  PaymentEvent,
  VerifiedEmail,
  Mail,
  EventCancellation,
];

const shared = [
  SigningKeys,
  Tickets,
  Bookings,
  OnSale,
  Reservations,
  ReservationChanges,
  EventCancellations,
  Memberships,
  Payments,
  Checkouts,
  Mails,
  Audit,
];

@Module({ imports: [CatalogueModule], providers: [...shared, Places, ReservationNews], exports: shared })
export class BookingModule {}
