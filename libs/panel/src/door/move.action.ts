import { definedOf } from '#kernel';
import { Event } from '#catalogue';
import type { Settings } from '#kernel';
import { Gate, ScanningDevice, type DeviceCareService } from '#scan';
import type { TenantDb } from '#tenancy';
import type { FormView, PanelAction, PanelValue } from '#panel-kit';
import { currentPanelRequest, formAction, PanelFieldError } from '#panel-kit';
import { doorEvents } from '../door-page/door-events.reader.js';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';

const formWords = texts.perLanguage('scanningDevices.move', ({ words }) => words);

/** Gates that are offered at most. */
const mostGates = 100;

/** An id of the form; undefined: the form has no such field. */
const choiceOf = (value: PanelValue | undefined): string | null | undefined =>
  value === undefined ? undefined : typeof value === 'string' && value !== '' ? value : null;

async function moveForm(db: TenantDb, settings: Settings, id: string): Promise<FormView> {
  const words = formWords[currentPanelRequest().language];
  const { events } = await doorEvents(db, settings, null);
  const { device, gates, current } = await db.transaction(async (tx) => {
    const found = await tx.findOne(ScanningDevice, { where: { id } });
    return {
      device: found,
      gates: await tx.find(Gate, { relations: { event: true }, order: { position: 'ASC', name: 'ASC', id: 'ASC' }, take: mostGates }),
      current: found?.eventId ? await tx.findOne(Event, { select: { id: true, name: true }, where: { id: found.eventId } }) : null,
    };
  });
  if (!device) throw new PanelFieldError({}, 'error404Record');
  const offered = current && !events.some((event) => event.id === current.id) ? [current, ...events] : events;
  return {
    lead: [words.lead],
    fields: [
      {
        name: 'eventId',
        kind: 'select',
        label: words.event,
        help: words.eventHelp,
        empty: words.anyEvent,
        value: device.eventId ?? '',
        options: offered.map(({ id: value, name }) => ({ value, label: name })),
      },
      {
        name: 'gateId',
        kind: 'select',
        label: words.gate,
        empty: words.anyGate,
        value: device.gateId ?? '',
        options: gates.map(({ id: value, name, event }) => ({ value, label: event ? `${name} (${event.name})` : name })),
      },
    ],
    submit: words.submit,
  };
}

/** Sends a device to another event or gate. The live page of the door sends the gate alone. */
export function moveAction(db: TenantDb, settings: Settings, care: DeviceCareService): PanelAction {
  return formAction({
    icon: 'Navigation',
    visible: (row) => row['state'] !== 'archived' && row['state'] !== 'wiped',
    form: (id) => moveForm(db, settings, id),
    act: async (id, { eventId, gateId }) => {
      const place = { eventId: choiceOf(eventId), gateId: choiceOf(gateId) };
      const chosen = definedOf(place);
      if (!(await refusable(() => care.place(id, chosen)))) throw new PanelFieldError({}, 'error404Record');
      return { message: 'moved' };
    },
  });
}
