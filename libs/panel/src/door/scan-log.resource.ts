import { ScanLogEntry } from '#scan';
import { TenantDb } from '#tenancy';
import type { PanelEntry, ResourceProvider } from '#panel-kit';
import { panelWords, entityReader, inBoth, labels, PanelResource } from '#panel-kit';
import { outcomes, outcomeTones, scanActions, shownOutcome } from '../tickets/outcomes.js';
import { withStaff } from '../users/staff.reader.js';

/** Every attempt at the doors, accepted or refused. Read only. */
@PanelResource({ panels: 'tenant', position: 20, modules: 'scanning' })
export class ScanLogResource implements ResourceProvider {
  constructor(private readonly db: TenantDb) {}

  entry(): PanelEntry {
    const { db } = this;
    const log = entityReader({
      open: (work) => db.transaction(work),
      entity: ScanLogEntry,
      alias: 'log',
      columns: {
        id: 'log.id',
        title: `concat('#', log.id)`,
        recordedAt: 'log.recordedAt',
        outcome: shownOutcome,
        action: 'log.action',
        ticketId: 'log.ticketId',
        membershipId: 'log.membershipId',
        eventId: 'log.eventId',
        deviceId: 'log.deviceId',
        userId: 'log.userId',
        reason: 'log.reason',
        deviceTime: 'log.deviceTime',
      },
      sort: { by: 'recordedAt', direction: 'desc' },
    });
    return {
      source: {
        id: 'scan-log',
        properties: [
          { name: 'id', type: 'number', isId: true, sortable: false },
          { name: 'title', type: 'string', isTitle: true, sortable: false, filterable: false },
          { name: 'recordedAt', type: 'datetime' },
          { name: 'outcome', type: 'string', availableValues: outcomes, tones: outcomeTones, sortable: false },
          { name: 'action', type: 'string', availableValues: Object.keys(scanActions), sortable: false },
          { name: 'ticketId', type: 'reference', reference: 'tickets', sortable: false, components: { list: 'TicketOrCard' } }, // prettier-ignore
          { name: 'membershipId', type: 'reference', reference: 'memberships', sortable: false },
          { name: 'eventId', type: 'reference', reference: 'events', sortable: false },
          { name: 'deviceId', type: 'reference', reference: 'devices', sortable: false },
          { name: 'staff', type: 'string', sortable: false },
          { name: 'reason', type: 'string', sortable: false },
          { name: 'deviceTime', type: 'datetime', sortable: false },
        ],
        ...withStaff(db, log),
      },
      group: 'operations',
      icon: 'List',
      list: ['recordedAt', 'outcome', 'ticketId', 'eventId', 'deviceId', 'action'],
      show: ['recordedAt', 'outcome', 'action', 'ticketId', 'membershipId', 'eventId', 'deviceId', 'staff', 'reason', 'deviceTime'], // prettier-ignore
      filter: ['outcome', 'action', 'deviceId', 'staff', 'eventId', 'membershipId', 'recordedAt'],
      sort: { by: 'recordedAt', direction: 'desc' },
      words: inBoth((language) => ({
        ...words[language],
        values: { outcome: panelWords(language).components.Outcome, action: labels(scanActions, language) },
      })),
    };
  }
}

const words = {
  en: {
    plural: 'Scan log',
    singular: 'Entry',
    properties: {
      recordedAt: 'When',
      outcome: 'Outcome',
      action: 'Action',
      ticketId: 'Ticket',
      membershipId: 'Membership card',
      eventId: 'Event',
      deviceId: 'Device',
      staff: 'Member of staff',
      reason: 'Reason',
      deviceTime: 'Device’s clock',
    },
    messages: { noRecordsInResource: 'Nothing was scanned yet.' },
  },
  fr: {
    plural: 'Journal des contrôles',
    singular: 'Ligne',
    properties: {
      recordedAt: 'Quand',
      outcome: 'Résultat',
      action: 'Action',
      ticketId: 'Billet',
      membershipId: 'Carte d’adhésion',
      eventId: 'Événement',
      deviceId: 'Appareil',
      staff: 'Membre de l’équipe',
      reason: 'Motif',
      deviceTime: 'Heure de l’appareil',
    },
    messages: { noRecordsInResource: 'Rien n’a encore été scanné.' },
  },
};
