import { isUuid, SETTINGS, type Settings } from '#kernel';
import { DoorBoardService, type DoorBoard } from '#scan';
import { TenantDb } from '#tenancy';
import { listHref, mayNow, recordHref, type PanelPage, type ViewOf } from '#panel-kit';
import { Inject, Injectable } from '@nestjs/common';
import { doorEvents, withShown } from './door-events.reader.js';

@Injectable()
export class DoorPageServices {
  constructor(
    readonly db: TenantDb,
    readonly boards: DoorBoardService,
    @Inject(SETTINGS) readonly settings: Settings,
  ) {}
}

async function boardOf({ boards }: DoorPageServices, eventId: string | null): Promise<DoorBoard | undefined> {
  return eventId === null ? undefined : boards.of(eventId);
}

const linksOf = (eventId: string) => ({
  event: recordHref('events', eventId),
  log: listHref('scan-log', { eventId }),
  ...(mayNow('door.decide') && { undecided: listHref('double-entries', { eventId, decision: 'open' }) }),
  /** The page of a device opens for this person. */
  hasDevices: mayNow('door.decide'),
});

async function doorView(services: DoorPageServices, event: unknown) {
  const { events, eventId } = await doorEvents(services.db, services.settings, event);
  const board = await boardOf(services, eventId);
  if (!board) return { events, eventId: null };
  return { events: withShown(events, board.event), eventId: board.event.id, board, links: linksOf(board.event.id) };
}

async function numbersNow(services: DoorPageServices, event: unknown) {
  return { board: (await boardOf(services, isUuid(event) ? event.toLowerCase() : null)) ?? null };
}

/** The view of the component `DoorPage`. */
export type DoorView = ViewOf<typeof doorView>;

/** What it reads again every few seconds. */
export type DoorNumbersNow = ViewOf<typeof numbersNow>;

/**
 * The live page of the door. `part=now` answers the numbers alone: open pages repeat it every few seconds, and it costs one statement,
 * which they share.
 */
export function doorPage(services: DoorPageServices): PanelPage {
  return {
    icon: 'Activity',
    component: 'DoorPage',
    variant: 'primary',
    side: true,
    keepsFilter: true,
    view: ({ event, part }) => (part === 'now' ? numbersNow(services, event) : doorView(services, event)),
  };
}
