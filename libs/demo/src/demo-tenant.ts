import type { NewEvent, NewPrice, NewProduct, PostalAddress } from '#catalogue';
import type { ReservationStatus } from '#booking';
import type { NewTenant } from '#tenancy';

/** A price; `share` is how often a ticket is sold at it, against the other prices of the event. None: not sold for events. */
export type DemoPrice = Omit<NewPrice, 'productId' | 'requiredMembershipId'> & {
  readonly share?: number;
  /** Only for holders of the tenant's (first) membership. */
  readonly membersOnly?: boolean;
};

export type DemoProduct = NewProduct & { readonly prices: readonly DemoPrice[] };

export type DemoAddress = Omit<
  PostalAddress,
  'id' | 'updatedAt' | 'image' | 'imageId' | 'stickerImage' | 'stickerImageId'
>;

/** How people book: freely, at a run on the last seats, or as guests of the house. */
export type DemoDemand = 'usual' | 'rush' | 'guests';

export type DemoEvent = Omit<NewEvent, 'startsAt' | 'endsAt' | 'postalAddressId' | 'capacity'> & {
  /** Days after today and local time, or running at the moment of the installation. */
  readonly starts: readonly [days: number, time: string] | 'running';
  readonly lastsMinutes: number;
  readonly capacity: number;
  /** Tickets to give out, cancelled ones not counted; at most the capacity. */
  readonly sold: number;
  readonly demand?: DemoDemand;
  /** States of the first bookings, so that each is there to be seen; chance decides about the others. */
  readonly begins?: readonly ReservationStatus[];
  /** Name of the address. */
  readonly place: string;
  /** Names of products. */
  readonly sells: readonly string[];
  /** When people come, in minutes after the start; default: from 45 before to 20 after. */
  readonly arrivals?: readonly [from: number, to: number];
};

export interface DemoDevice {
  readonly name: string;
  readonly paired: boolean;
}

/** Everything one demo tenant is made of. */
export interface DemoTenant {
  readonly tenant: Omit<NewTenant, 'ownerId' | 'host'>;
  readonly seed: number;
  /** How many of its people have French names, from 0 to 1. */
  readonly frenchShare: number;
  readonly addresses: readonly DemoAddress[];
  /** A membership comes before the prices that ask for it. */
  readonly products: readonly DemoProduct[];
  readonly events: readonly DemoEvent[];
  readonly devices: readonly DemoDevice[];
  /** Why staff take a scan back, in the tenant's language. */
  readonly undoReasons: readonly string[];
}
