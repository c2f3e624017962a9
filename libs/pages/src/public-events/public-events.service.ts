import type { PriceRange, Venue } from '#page-kit';
import { Inject, Injectable } from '@nestjs/common';
import {
  loadWhole,
  publicEventFrom,
  type GalleryImage,
  type InMilliseconds,
  type PublicEvent,
  type SaleState,
  type WholeEvent,
} from '#catalogue';
import { databaseNow, isUuid, SETTINGS, type Settings } from '#kernel';
import { CheckoutsService } from '#payments';
import { type PreparedStatement, hasModule, TenantDb } from '#tenancy';
import { noFacets, spelledTextsStatement, type AgendaFacets } from './agenda-facets.js';
import { priceStatements } from './event-page-statement.js';
import { otherSalesStatement } from './price-range.js';
import {
  comingStatementsFor,
  findStatement,
  latestStatements,
  valuesOf,
  venueStatement,
  type ComingEvents,
  type ListStatements,
} from './public-event-statements.js';
import { seriesTargetStatement, type EventSeriesDates, type SeriesRest } from './series-dates.js';

/** The place that sends an event to the networks' agendas. */
export interface PublicSender {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  /** Absolute URL of its agenda, without the final slash. */
  readonly home: string;
  readonly timeZone: string;
}

/** An event in the lists of a tenant or a network. */
export interface ListedEvent extends PublicEvent {
  /** The sender of another place's event in a network; absent: the tenant's own event. */
  readonly sender?: PublicSender;
  /** Absent for another place's event, and in lists without prices; null when no admission is sold. */
  readonly prices?: PriceRange | null;
  /** Its tags in alphabetical order; absent in lists without prices. */
  readonly keywords?: readonly string[];
  /** Where a series is listed with its next date: the dates after it; null: none. */
  readonly series?: SeriesRest | null;
}

/** The version of a list of events. */
export interface ComingState {
  /** A tag that changes with the list. */
  readonly state: string;
  /** When the sale of a price opens or ends next; undefined: never, or prices are not listed. */
  readonly changesAt: Date | undefined;
  /** Number of its events. */
  readonly count: number;
}

/** A list of events with the profile of the venue. */
export interface ListedEvents {
  readonly venue: Venue;
  readonly events: readonly ListedEvent[];
  /** Empty unless they were asked for. */
  readonly facets: AgendaFacets;
}

/** What a pass is for. */
export interface SoldPass {
  readonly dates: number;
  /** The buyer chooses them among those that remain; otherwise they are all that remain. */
  readonly isChosen: boolean;
  /** What a date costs, decimal text. */
  readonly amount: `${number}`;
}

/** A price of a product that is sold for an event. */
export interface PublicPrice {
  readonly id: string;
  readonly product: string;
  readonly name: string;
  /** Decimal text with two places; of a pass, for all its dates. */
  readonly amount: `${number}`;
  /** What it costs without the code that was entered, where that is more. */
  readonly full?: `${number}`;
  /** The buyer chooses the amount; `amount` is the minimum. */
  readonly freeAmount: boolean;
  /** Amounts to choose from, decimal texts separated by spaces. */
  readonly suggested?: string | null;
  /** The one of them that is usual. */
  readonly usual?: string | null;
  /** It is for several dates of the series together; null: for this event. */
  readonly pass: SoldPass | null;
  readonly soldOut: boolean;
  /** Sold out only because of tickets that buyers hold and neither paid nor confirmed yet: some may become free within minutes. */
  readonly held: boolean;
  /** It is for admission, not for goods. */
  readonly admits: boolean;
  /** The price of a volunteering slot without a product of staff. */
  readonly volunteering: boolean;
  /** What is left of it for the event, counted exactly when it is few; null: no limit. */
  readonly left: number | null;
  readonly maxPerUser: number | null;
  /** Name of the membership that the buyer must hold. */
  readonly membership: string | null;
  /** Id of the product of that membership. */
  readonly membershipId: string | null;
  readonly sale: SaleState;
  /** Start and end of its sale in milliseconds; null: none. */
  readonly opensAt: number | null;
  readonly closesAt: number | null;
  /** When it was first offered for the event, in milliseconds. */
  readonly since: number;
}

export interface EventPage {
  readonly event: WholeEvent;
  /** It was published and then cancelled. */
  readonly isCancelled: boolean;
  readonly venue: Venue;
  readonly prices: readonly PublicPrice[];
  /** Further pictures. */
  readonly gallery: readonly GalleryImage[];
  /** Null: the event is of no series. */
  readonly series: EventSeriesDates | null;
  /** Other coming events of the venue. */
  readonly others: readonly ListedEvent[];
  /** Places that others paid for people who cannot; null: the page does not tell. */
  readonly givenPlaces: number | null;
}

type Stored = InMilliseconds<ListedEvent>;
type StoredPage = Omit<EventPage, 'venue' | 'others'> & { readonly venue: Venue | null; readonly others: readonly Stored[] };

/** The public events of the current tenant: published or cancelled after publication, and not private. No others are returned. */
@Injectable()
export class PublicEventsService {
  private readonly statementsOf: ReturnType<typeof comingStatementsFor>;
  private readonly latestOnes: ListStatements;
  private readonly profile: PreparedStatement;
  private readonly prices: ReturnType<typeof priceStatements>;
  private readonly spelled: PreparedStatement;
  private readonly seriesTarget: PreparedStatement;

  constructor(
    private readonly db: TenantDb,
    private readonly checkouts: CheckoutsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.statementsOf = comingStatementsFor(settings);
    this.latestOnes = latestStatements(settings);
    this.profile = venueStatement(settings);
    this.prices = priceStatements(settings);
    this.spelled = spelledTextsStatement(settings);
    this.seriesTarget = seriesTargetStatement(settings);
  }

  /** Whether products are sold for another public event that is not over. */
  async sellsOthers(eventId: string, now: Date): Promise<boolean> {
    const [found] = await this.db.statement<{ sells: boolean }>(otherSalesStatement(this.settings), [eventId, now]);
    return found?.sells === true;
  }

  /** Events that are not over, including running ones, in the order of their start. */
  coming(wanted: ComingEvents): Promise<ListedEvents> {
    return this.list(this.statementsOf(wanted).list, valuesOf(wanted));
  }

  /** The version of the result of `coming` and of which of its events have started. Takes much less time than reading the list. */
  async comingState(wanted: ComingEvents, now: Date): Promise<ComingState> {
    const [found] = await this.db.statement<{ state: string; count: number; changesAt: number | null }>(this.statementsOf(wanted).state, [
      ...valuesOf(wanted),
      now,
    ]);
    const { state = '', count = 0, changesAt = null } = found ?? {};
    return { state, count, changesAt: changesAt === null ? undefined : new Date(changesAt) };
  }

  /** The texts of coming events, for a search that finds nothing as it was typed. */
  async spelledTexts(now: Date): Promise<string[]> {
    return (await this.db.statement<{ text: string }>(this.spelled, [now])).map(({ text }) => text);
  }

  /** Past and future events, latest start first. */
  latest(limit: number): Promise<ListedEvents> {
    return this.list(this.latestOnes.list, [limit]);
  }

  /** A version tag of the result of `latest`. */
  latestState(limit: number): Promise<string> {
    return this.state(this.latestOnes.state, [limit]);
  }

  /** The public profile of the current tenant. */
  async venue(): Promise<Venue> {
    const [found] = await this.db.statement<{ venue: Venue | null }>(this.profile, []);
    return this.withPayment(found?.venue);
  }

  /** Whether buyers must accept the terms of the venue. */
  async hasTerms(): Promise<boolean> {
    return (await this.venue()).hasTerms === true;
  }

  /** One event by its slug or id; undefined when there is no public one. */
  async find(slugOrId: string): Promise<EventPage | undefined> {
    const id = isUuid(slugOrId) ? slugOrId.toLowerCase() : null;
    const [known] = await this.db.statement<{ id: string; isCancelled: boolean }>(findStatement, [slugOrId, id]);
    if (!known) return undefined;
    const [event] = await this.db.transaction((tx) => loadWhole(tx, [known.id]));
    return event && this.pageOf(event, known.isCancelled);
  }

  /**
   * What the page of an event shows; also of one that is not public.
   * @param opened ids of hidden prices that a code opens
   */
  async pageOf(event: WholeEvent, isCancelled: boolean, opened: readonly string[] = []): Promise<EventPage> {
    const [found] = await this.db.statement<StoredPage>(event.seriesId === null ? this.prices.alone : this.prices.inSeries, [
      event.id,
      databaseNow(),
      opened,
    ]);
    const { venue, prices = [], gallery = [], series = null, others = [], givenPlaces = null } = found ?? {};
    // A tenant without ticketing shows no prices.
    const sold = hasModule('ticketing') ? prices : [];
    const shown = { event, isCancelled, prices: sold, gallery, series, others: others.map(listed), givenPlaces };
    return { ...shown, venue: await this.withPayment(venue) };
  }

  /** The slug of the date to which the address of a series leads; undefined when no public date has been planned. */
  async dateOfSeries(slug: string): Promise<string | undefined> {
    const [found] = await this.db.statement<{ slug: string }>(this.seriesTarget, [slug, databaseNow()]);
    return found?.slug;
  }

  private async state(statement: PreparedStatement, values: unknown[]): Promise<string> {
    const [found] = await this.db.statement<{ state: string }>(statement, values);
    return found?.state ?? '';
  }

  private async list(statement: PreparedStatement, values: unknown[]): Promise<ListedEvents> {
    const [found] = await this.db.statement<{ venue: Venue | null; events: Stored[]; facets?: AgendaFacets }>(statement, values);
    const { facets = noFacets } = found ?? {};
    // A tenant without ticketing sells nothing, and nothing for free.
    const hasFree = facets.hasFree && hasModule('ticketing');
    const venue = await this.withPayment(found?.venue);
    return { venue, events: (found?.events ?? []).map(listed), facets: { ...facets, hasFree } };
  }

  /** The profile with what the database alone does not know: the program must be able to open the account and its provider. */
  private async withPayment(venue: Venue | null | undefined): Promise<Venue> {
    return { ...(venue as Venue), paysOnline: await this.checkouts.available() };
  }
}

function listed(stored: Stored): ListedEvent {
  // A tenant without ticketing shows no prices.
  return { ...publicEventFrom<ListedEvent>(stored), prices: hasModule('ticketing') ? (stored.prices ?? null) : null };
}
