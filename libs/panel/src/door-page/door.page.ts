import { isUuid, SETTINGS, type Settings } from '#kernel';
import { DoorBoardService, type DoorBoard } from '#scan';
import { TenantDb } from '#tenancy';
import { listHref, recordHref, type PanelPage, type PanelValue } from '#panel-kit';
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

/** The numbers as the view of a page. */
const shown = (board: DoorBoard | undefined): PanelValue => (board ? (JSON.parse(JSON.stringify(board)) as PanelValue) : null);

const linksOf = (eventId: string): PanelValue => ({
  event: recordHref('events', eventId),
  log: listHref('scan-log', { eventId }),
  undecided: listHref('double-entries', { eventId, decision: 'open' }),
});

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
    view: async ({ event, part }): Promise<PanelValue> => {
      if (part === 'now') return { board: shown(await boardOf(services, isUuid(event) ? event.toLowerCase() : null)) };
      const { events, eventId } = await doorEvents(services.db, services.settings, event);
      const board = await boardOf(services, eventId);
      return {
        events: board ? withShown(events, board.event) : events,
        eventId: board ? eventId : null,
        board: shown(board),
        links: board ? linksOf(board.event.id) : null,
      };
    },
  };
}
