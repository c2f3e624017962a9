import type { NewEvent, NewPrice, NewProduct, PostalAddress } from '#catalogue';
import type { NewCampaign } from '#selling';
import type { ReservationStatus } from '#tickets';
import type { ProfileChange } from '#places';
import type { NewTenant } from '#tenancy';
import type { DemoPicture } from './demo-picture.js';

/** A price; `share` is its weight among the prices of an event. Without a share it is not sold for events. */
export type DemoPrice = Omit<NewPrice, 'productId' | 'requiredMembershipId' | 'salesFrom' | 'salesUntil'> & {
  readonly share?: number;
  /** Only for holders of the tenant's (first) membership. */
  readonly membersOnly?: boolean;
  /** When its sale opens: days after today and local time; absent: it is open. */
  readonly opens?: readonly [days: number, time: string];
};

export type DemoProduct = NewProduct & { readonly prices: readonly DemoPrice[] };

export type DemoAddress = Omit<PostalAddress, 'id' | 'updatedAt' | 'image' | 'imageId' | 'stickerImage' | 'stickerImageId'>;

/** How people book: as usual, in a rush on the last seats, as guests of the venue, or until the last place is paid for. */
export type DemoDemand = 'usual' | 'rush' | 'guests' | 'full';

export type DemoEvent = Omit<NewEvent, 'startsAt' | 'endsAt' | 'doorsAt' | 'postalAddressId' | 'capacity' | 'picture'> & {
  /** Days after today and local time, or running at the moment of the installation. */
  readonly starts: readonly [days: number, time: string] | 'running';
  readonly lastsMinutes: number;
  /** When the doors open. */
  readonly doorsMinutesBefore?: number;
  /** It is a series with so many further dates, one each week, for which nothing is booked yet. */
  readonly furtherWeeks?: number;
  readonly capacity: number;
  /** Number of tickets to create, without cancelled ones; at most the capacity. */
  readonly sold: number;
  readonly demand?: DemoDemand;
  /** States of the first bookings, so that each state occurs; the others are random. */
  readonly begins?: readonly ReservationStatus[];
  /** Name of the address. */
  readonly place: string;
  /** Names of products. */
  readonly sells: readonly string[];
  /** When people arrive, in minutes after the start; default: from 45 before to 20 after. */
  readonly arrivals?: readonly [from: number, to: number];
  /** People on its waiting list. */
  readonly waiting?: number;
  readonly picture?: DemoPicture;
  /** Further pictures, each with its alternative text. */
  readonly gallery?: readonly (readonly [picture: DemoPicture, alternative: string])[];
  /** Staff have cancelled it. */
  readonly cancelled?: boolean;
};

export interface DemoDevice {
  readonly name: string;
  readonly paired: boolean;
}

/** The content of one demo tenant. */
export interface DemoTenant {
  readonly tenant: Omit<NewTenant, 'ownerId' | 'host'>;
  readonly seed: number;
  /** Share of people with French names, from 0 to 1. */
  readonly frenchShare: number;
  readonly addresses: readonly DemoAddress[];
  /** A membership must come before the prices that require it. */
  readonly products: readonly DemoProduct[];
  readonly events: readonly DemoEvent[];
  readonly devices: readonly DemoDevice[];
  /** A code with which visitors of the demo pair their own phones, for a month. */
  readonly teamCode?: { readonly name: string; readonly places: number };
  /** Reasons why staff undo scans, in the tenant's language. */
  readonly undoReasons: readonly string[];
  /** Further fields of the profile. */
  readonly profile?: ProfileChange;
  /** Where buyers may transfer money to. The account must not exist. */
  readonly bank?: { readonly iban: string; readonly holder: string; readonly days: number };
  /** What it collects donations for. */
  readonly campaigns?: readonly NewCampaign[];
  readonly picture?: DemoPicture;
  readonly logo?: DemoPicture;
  /** Pictures of the house, each with its alternative text. */
  readonly gallery?: readonly (readonly [picture: DemoPicture, alternative: string])[];
}
