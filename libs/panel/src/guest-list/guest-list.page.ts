import { referenceOf } from '#notices';
import { GuestListService, guestsPerPage, type Guest } from '#scan';
import { SETTINGS, type Settings } from '#kernel';
import { TenantDb } from '#tenancy';
import type { PanelPage, ViewOf } from '#panel-kit';
import { Inject, Injectable } from '@nestjs/common';
import { doorEvents, withShown } from '../door-page/door-events.reader.js';

@Injectable()
export class GuestListServices {
  constructor(
    readonly db: TenantDb,
    readonly guests: GuestListService,
    @Inject(SETTINGS) readonly settings: Settings,
  ) {}
}

/** Pages that can be asked for; more guests than that have no event. */
const mostPages = 200;

/** The number of a page in an address, from 1. */
function pageIn(text: unknown): number {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= mostPages ? number : 1;
}

const toItem = ({ id, reservationId, firstName, lastName, price, product, state }: Guest) => ({
  id,
  firstName,
  lastName,
  reference: referenceOf(reservationId),
  product: product === price ? price : `${product} · ${price}`,
  state,
});

/** Tickets that belong together, in their order. */
function partiesOf(guests: readonly Guest[]) {
  const parties: { id: string; guests: ReturnType<typeof toItem>[] }[] = [];
  for (const guest of guests) {
    const last = parties.at(-1);
    if (last?.id === guest.party) last.guests.push(toItem(guest));
    else parties.push({ id: guest.party, guests: [toItem(guest)] });
  }
  return parties;
}

async function guestListView({ db, settings, guests }: GuestListServices, query: Readonly<Record<string, unknown>>) {
  const { events, eventId } = await doorEvents(db, settings, query['event']);
  const onlyInside = query['only'] === 'inside';
  const page = pageIn(query['page']);
  const found = eventId === null ? undefined : await guests.of(eventId, { onlyInside, page: page - 1 });
  if (!found) return { events, event: null };
  return {
    events: withShown(events, found.event),
    event: found.event,
    at: found.at,
    onlyInside,
    page,
    perPage: guestsPerPage,
    pages: Math.max(1, Math.ceil(found.total / guestsPerPage)),
    total: found.total,
    inside: found.inside,
    parties: partiesOf(found.guests),
  };
}

/** The view of the component `GuestList`. */
export type GuestListView = ViewOf<typeof guestListView>;

/** The guest list of an event, to be printed by the browser. */
export function guestListPage(services: GuestListServices): PanelPage {
  return {
    icon: 'Printer',
    component: 'GuestList',
    under: 'events',
    keepsFilter: true,
    view: (query) => guestListView(services, query),
  };
}
