import { ScanLogEntry } from '#scan';
import { TenantDb } from '#tenancy';
import type { PanelEntry, ResourceProvider } from '#panel-kit';
import { currentPanelRequest, panelWords, entityReader, inEachLanguage, labels, PanelResource, declareProperties } from '#panel-kit';
import { doorPage, DoorPageServices } from '../door-page/door.page.js';
import { guestListPage, GuestListServices } from '../guest-list/guest-list.page.js';
import { outcomes, outcomeTones, scanActions, shownOutcome } from '../tickets/outcomes.js';
import { withStaff } from '../users/staff.reader.js';
import { texts } from '../locales/panel.texts.js';

/** The scan log: every accepted and refused attempt, read-only, with the live page of the door and the guest list. */
@PanelResource({ panels: 'tenant', position: 5, modules: 'scanning' })
export class ScanLogResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly door: DoorPageServices,
    private readonly guests: GuestListServices,
  ) {}

  entry(): PanelEntry {
    const { db, door, guests } = this;
    const declared = declareProperties(
      {
        id: { sort: false },
        title: { isTitle: true, sort: false, filter: false, sql: `concat('#', log.id)` },
        recordedAt: { list: true, show: true, filter: 7 },
        outcome: {
          availableValues: outcomes,
          tones: outcomeTones,
          sort: false,
          list: true,
          show: true,
          filter: true,
          sql: shownOutcome,
        },
        action: { availableValues: Object.keys(scanActions), sort: false, list: 6, show: true, filter: true },
        ticketId: { reference: 'tickets', sort: false, components: { list: 'TicketOrCard' }, list: true, show: true },
        membershipId: { reference: 'memberships', sort: false, show: true, filter: 6 },
        eventId: { reference: 'events', sort: false, list: true, show: true, filter: 5 },
        direction: { availableValues: ['entry', 'exit'], sort: false, show: true, filter: false },
        gateId: { reference: 'gates', sort: false, show: true, filter: true },
        deviceId: { reference: 'devices', sort: false, list: true, show: true, filter: true },
        staff: { sort: false, show: true, filter: true },
        reason: { sort: false, show: true },
        deviceTime: { sort: false, show: true },
        userId: { hidden: true },
      },
      { entity: ScanLogEntry, alias: 'log' },
    );

    const log = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      sort: { by: 'recordedAt', direction: 'desc' },
    });
    return {
      source: {
        id: 'scan-log',
        properties: declared.properties,
        ...withStaff(db, log),
      },
      group: 'operations',
      icon: 'List',
      rare: true,
      ...declared.places,
      sort: { by: 'recordedAt', direction: 'desc' },
      pages: { door: doorPage(door), guests: guestListPage(guests) },
      // Names of a whole evening stay in the panel of the place.
      allows: (action) => action !== 'guests' || !currentPanelRequest().support,
      words: inEachLanguage((language) => ({
        ...words[language],
        values: {
          outcome: panelWords(language).components.Outcome,
          action: labels(scanActions, language),
          direction: scanDirections[language],
        },
      })),
    };
  }
}

const scanDirections = texts.perLanguage('scanDirections', ({ words }) => words);
const words = texts.perLanguage('scanLog', ({ words }) => words);
