import { eventIsOverSql } from '#catalogue';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { SETTINGS, type Settings } from '#kernel';
import { TenantHoldings } from '#tenancy';
import { texts } from './locales/selling.texts.js';

/** Sales that prevent a tenant from changing to a category without the module: valid or pending ones. Past and cancelled ones do not. */
@Injectable()
export class BookingHoldings implements OnModuleInit {
  constructor(
    private readonly holdings: TenantHoldings,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  onModuleInit(): void {
    this.holdings.add(
      {
        module: 'ticketing',
        name: texts.localized('bookingHoldings.reservations'),
        from: `from reservation join event on event.id = reservation.event_id
          where not ${eventIsOverSql('event', this.settings)} and (reservation.status in ('FA', 'P', 'PE', 'PN', 'V')
            or (reservation.status in ('R', 'U', 'F') and reservation.released_at is null and reservation.expires_at > now()))`,
      },
      {
        module: 'membership',
        name: texts.localized('bookingHoldings.memberships'),
        from: `from membership where (status = 'active' and (valid_until is null or valid_until > now()))
          or (status = 'pending' and released_at is null and expires_at > now())`,
      },
    );
  }
}
