import { Injectable } from '@nestjs/common';
import { EventCopiesService, EventsService, PostalAddressesService, SeriesService } from '#catalogue';
import { EventNoticesService } from '#notices';
import { TenantDb } from '#tenancy';
import { EventCancellationsService, MailsService, SeriesPoolsService } from '#tickets';

/** What the actions on the dates of a series call. */
@Injectable()
export class SeriesServices {
  constructor(
    readonly db: TenantDb,
    readonly series: SeriesService,
    readonly events: EventsService,
    readonly copies: EventCopiesService,
    readonly addresses: PostalAddressesService,
    readonly cancellations: EventCancellationsService,
    readonly notices: EventNoticesService,
    readonly mails: MailsService,
    readonly pools: SeriesPoolsService,
  ) {}
}
