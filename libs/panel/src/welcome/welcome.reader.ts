import { Event, PostalAddress, PostalAddressesService, Product } from '#catalogue';
import { CheckoutsService } from '#payments';
import { NetworkMember, PlaceProfileService, TenantWelcomeService, type PlaceProfile } from '#places';
import { PracticeTicketsService } from '#scan';
import { UnbookableEventsService, type UnbookableReason } from '#selling';
import { hasModule, currentTenant, TenantDb } from '#tenancy';
import { MailsService } from '#tickets';
import { Injectable } from '@nestjs/common';
import { EventSetUpServices } from '../events/event-set-up.page.js';

export type WelcomeStepName = 'house' | 'payment' | 'event' | 'practice' | 'membership';

/** One of the first steps of a new tenant. */
export interface WelcomeStep {
  readonly name: WelcomeStepName;
  readonly isDone: boolean;
}

interface WelcomeEvent {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly published: boolean;
  readonly startsAt: Date;
  readonly seriesId: string | null;
  /** Dates of its series, itself included; 0: it belongs to none. */
  readonly dates: number;
  /** Days before it until which holders may cancel on their page; null: not there. */
  readonly returnDays: number | null;
  /** Decimal text with two places. */
  readonly prices: readonly { readonly name: string; readonly amount: `${number}` }[];
}

/** What the page of the first steps shows. */
export interface WelcomeFacts {
  readonly steps: readonly WelcomeStep[];
  readonly profile: PlaceProfile;
  /** Where events take place unless they say otherwise: the main address, else the first one. */
  readonly address: PostalAddress | undefined;
  readonly isFree: boolean;
  readonly paysOnline: boolean;
  /** The next event that takes place, else the newest one. */
  readonly event: WelcomeEvent | undefined;
  /** Whether the server sends mail. */
  readonly isMailed: boolean;
  /** Why nobody can book that event. */
  readonly reason: UnbookableReason | undefined;
}

/** What the page of the first steps reads and writes. */
@Injectable()
export class WelcomeServices {
  constructor(
    readonly db: TenantDb,
    readonly welcomes: TenantWelcomeService,
    readonly profiles: PlaceProfileService,
    readonly addresses: PostalAddressesService,
    readonly checkouts: CheckoutsService,
    readonly practice: PracticeTicketsService,
    readonly unbookable: UnbookableEventsService,
    readonly setUps: EventSetUpServices,
    readonly mails: MailsService,
  ) {}
}

/** Progress of the first steps for the start page; undefined when nobody wants to see them there. */
export async function welcomeProgress(services: WelcomeServices): Promise<readonly WelcomeStep[] | undefined> {
  const { isShown } = await services.welcomes.read();
  return isShown ? (await readWelcome(services)).steps : undefined;
}

/** Reads the first steps for the tenant's category from its data. */
export async function readWelcome({
  db,
  welcomes,
  profiles,
  addresses,
  checkouts,
  unbookable,
  mails,
}: WelcomeServices): Promise<WelcomeFacts> {
  const [{ isFree }, profile, list, paysOnline] = [
    await welcomes.read(),
    await profiles.read(),
    await addresses.list(),
    await checkouts.available(),
  ];
  // A separate query, because network memberships are in the shared schema.
  const joins = await db.shared((tx) => tx.existsBy(NetworkMember, { tenantId: currentTenant().id }));
  const found = await db.transaction(async (tx) => {
    const [event] = await tx.query<WelcomeEvent[]>(
      `select id, name, slug, published, starts_at as "startsAt", series_id as "seriesId",
         (select count(*)::int from event other where other.series_id = event.series_id) as dates,
         case when coalesce((select holders_may_cancel from configuration where id = 1), true)
           then merchant_return_days end as "returnDays",
         array(
         select json_build_object('name', price.name, 'amount', price.amount::text)
         from price join event_product sold on sold.product_id = price.product_id
         where sold.event_id = event.id order by price.amount desc, price.id limit 5) as prices
       from event order by starts_at < statement_timestamp(), published desc, starts_at, id limit 1`,
    );
    const [practised] = await tx.query<{ done: boolean }[]>(
      `select exists (select 1 from team_code where practised_at is not null) or exists (select 1 from scan_log) as done`,
    );
    return {
      event,
      hasPublished: await tx.existsBy(Event, { published: true }),
      hasMembership: joins || (await tx.existsBy(Product, { category: 'A' })),
      hasPractised: practised?.done === true,
    };
  });
  const address = list.find(({ isMain }) => isMain) ?? list[0];
  const steps: WelcomeStep[] = [{ name: 'house', isDone: address !== undefined || !hasModule('events') }];
  if (hasModule('ticketing')) steps.push({ name: 'payment', isDone: isFree || paysOnline || profile.payAtVenueHours !== null });
  if (hasModule('events')) steps.push({ name: 'event', isDone: found.hasPublished });
  if (hasModule('scanning')) steps.push({ name: 'practice', isDone: found.hasPractised });
  else if (hasModule('membership')) steps.push({ name: 'membership', isDone: found.hasMembership });
  const { event } = found;
  const reason = event && (await unbookable.reasons([event.id])).get(event.id);
  return { steps, profile, address, isFree, paysOnline, event, isMailed: mails.deliver, reason };
}
