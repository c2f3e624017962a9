import { eventEndSql } from '#catalogue';
import { SETTINGS, type Settings } from '#kernel';
import { Gate, GatesService, type GateChange, type NewGate } from '#scan';
import { TenantDb } from '#tenancy';
import type { PanelEntry, PanelRow, PanelSource, ResourceProvider } from '#panel-kit';
import { entityReader, PanelResource, declareProperties } from '#panel-kit';
import { Inject } from '@nestjs/common';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';

/** The gates of the place, or of one event. */
@PanelResource({ panels: 'tenant', position: 22, modules: 'scanning' })
export class GatesResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly gates: GatesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  entry(): PanelEntry {
    const { db, gates } = this;
    const declared = declareProperties(
      {
        id: { show: true },
        name: { isTitle: true, list: true, show: true, form: true, filter: true },
        eventId: { reference: 'events', help: 'eventHelp', list: true, show: true, form: true, filter: true },
        position: { initial: 0, help: 'positionHelp', list: true, show: true, form: true, filter: false },
        rules: {
          type: 'number',
          list: true,
          show: true,
          filter: false,
          sql: '(select count(*)::int from gate_rule rule where rule.gate_id = gate.id)',
        },
        inside: {
          type: 'number',
          list: true,
          show: true,
          filter: false,
          sql: `(select count(*)::int from ticket join event on event.id = ticket.event_id
            where ticket.gate_id = gate.id and ticket.admission and ticket.status = 'S' and ticket.left_at is null
              and now() + interval '1 day' > event.starts_at
              and ${eventEndSql('event', this.settings)} > now() - interval '1 day')`,
        },
        createdAt: { show: true },
      },
      { entity: Gate, alias: 'gate' },
    );
    const source: PanelSource = {
      id: 'gates',
      properties: declared.properties,
      ...entityReader({ ...declared.reading, open: (work) => db.transaction(work), sort: { by: 'position', direction: 'asc' } }),
      create: (values) => refusable(() => gates.create(toChange(values) as NewGate)),
      update: async (id, values) => ((await refusable(() => gates.change(id, toChange(values)))) ? source.findOne(id) : null),
      remove: (id) => gates.remove(id),
    };
    return {
      source,
      group: 'operations',
      icon: 'LogIn',
      rare: true,
      ...declared.places,
      sort: { by: 'position', direction: 'asc' },
      words: texts.perLanguage('gates', ({ words }) => words),
    };
  }
}

const toChange = ({ name, eventId, position }: PanelRow): GateChange => ({
  ...(name !== undefined && { name: String(name ?? '') }),
  ...(eventId !== undefined && { eventId: eventId === null || eventId === '' ? null : String(eventId) }),
  ...(position !== undefined && { position: position === null ? null : Number(position) }),
});
