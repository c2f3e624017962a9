import { Reservation, Ticket } from '#tickets';
import { localeOf, momentWords, type Language } from '#kernel';
import { conflictDecisions, conflictKinds, decisionsOn, ScanConflict, ScanConflictsService, type ConflictKind } from '#scan';
import { TenantDb } from '#tenancy';
import type { FormView, PanelAction, PanelEntry, PanelRow, PanelSource, PanelTone, PanelValue, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  declareProperties,
  entityReader,
  formAction,
  inEachLanguage,
  PanelFieldError,
  PanelResource,
  related,
  relatedProperty,
  textOf,
} from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';
import { holder } from '../tickets/tickets.resource.js';
import { staffNames } from '../users/staff.reader.js';

const tones: Readonly<Record<string, PanelTone>> = { open: 'waiting', let_stay: 'good', was_refused: 'info', same_person: 'quiet' };

const nameSql = (table: 'gate' | 'scanning_device', column: string): string =>
  `(select ${table}.name from ${table} where ${table}.id = conflict.${column})`;
/** SQL: a member of the later entry, which tickets for another event do not have. */
const laterSql = (member: string): string => `case when conflict.kind = 'double_entry' then conflict.${member} end`;
/** Tickets that came in twice or at another event, because devices could not ask the server, with what staff decide about them. */
@PanelResource({ panels: 'tenant', position: 8, modules: 'scanning' })
export class DoubleEntriesResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly conflicts: ScanConflictsService,
  ) {}

  entry(): PanelEntry {
    const { db } = this;
    const entrance = (which: 'first' | 'later') => ({
      [`${which}At`]: { sort: false, list: true, filter: false, ...(which === 'later' && { sql: laterSql('later_at') }) },
      [which]: { sort: false, show: true, filter: false },
      [`${which}ErrorMs`]: { hidden: true },
      [`${which}GateId`]: { reference: 'gates', sort: false, list: true, show: true, filter: false },
      [`${which}DeviceId`]: { reference: 'devices', sort: false, show: true, filter: false },
    });
    const declared = declareProperties(
      {
        id: { show: 12 },
        holder: { isTitle: true, sort: false, filter: false, list: true, sql: `coalesce(${holder}, left(conflict.ticket_id::text, 8))` },
        eventId: { reference: 'events', sort: false, list: true, show: true, filter: true },
        decision: {
          availableValues: ['open', ...conflictDecisions],
          tones,
          sort: false,
          list: 2,
          show: 1,
          filter: 1,
          sql: `coalesce(conflict.decision, 'open')`,
        },
        kind: {
          availableValues: conflictKinds,
          tones: { double_entry: 'quiet', wrong_event: 'bad' },
          sort: false,
          list: 3,
          show: 2,
          filter: 2,
        },
        ticketId: { reference: 'tickets', sort: false, show: true, filter: false },
        ticketEventId: { reference: 'events', sort: false, show: true, filter: false, sql: 'ticket.event_id' },
        ...entrance('first'),
        ...entrance('later'),
        history: { ...relatedProperty('history'), show: true },
        foundAt: { show: true, filter: true },
        ticketEvent: { hidden: true, sql: '(select event.name from event where event.id = ticket.event_id)' },
        ticketEventStart: { hidden: true, sql: '(select event.starts_at from event where event.id = ticket.event_id)' },
        firstGate: { hidden: true, sql: nameSql('gate', 'first_gate_id') },
        firstDevice: { hidden: true, sql: nameSql('scanning_device', 'first_device_id') },
        laterGate: { hidden: true, sql: nameSql('gate', 'later_gate_id') },
        laterDevice: { hidden: true, sql: nameSql('scanning_device', 'later_device_id') },
      },
      { entity: ScanConflict, alias: 'conflict' },
    );
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      joins: (query) =>
        query
          .leftJoin(Ticket, 'ticket', 'ticket.id = conflict.ticketId')
          .leftJoin(Reservation, 'reservation', 'reservation.id = ticket.reservationId'),
      sort: { by: 'foundAt', direction: 'desc' },
    });
    const source: PanelSource = {
      id: 'double-entries',
      properties: declared.properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        const later = row && isDouble(row) ? timeWithError(row, 'later') : null;
        return row && { ...row, first: timeWithError(row, 'first'), later, history: await this.history(id) };
      },
    };
    return {
      source,
      group: 'operations',
      icon: 'Users',
      rare: true,
      ...declared.places,
      sort: { by: 'foundAt', direction: 'desc' },
      actions: { decide: this.decideAction((id) => reader.findOne(id)) },
      words: inEachLanguage((language) => words[language]),
    };
  }

  /** The decisions, newest first. */
  private async history(id: string): Promise<PanelValue> {
    const decided = await this.conflicts.history(id);
    const people = decided.map(({ userId }) => userId).filter((userId) => userId !== null);
    const names = await staffNames(this.db, people);
    const { decision: labels } = words[currentPanelRequest().language].values;
    return related(
      decided.map(({ decision, decidedAt, note, userId, deviceName }) => ({
        title: labels[decision],
        at: decidedAt.toISOString(),
        details: [userId === null ? deviceName : names.get(userId), note].filter(Boolean).join(' · '),
      })),
    );
  }

  private decideAction(find: (id: string) => Promise<PanelRow | null>): PanelAction {
    return formAction({
      icon: 'CheckSquare',
      variant: 'primary',
      form: async (id) => {
        const row = await find(id);
        if (!row) throw gone();
        return decisionForm(row, currentPanelRequest().language);
      },
      act: async (id, { decision, note }) => {
        const { user } = currentPanelRequest();
        if (!user) throw gone();
        if (!(await refusable(() => this.conflicts.decide(id, decision, textOf(note), user.id)))) throw gone();
        return { message: 'decided' };
      },
    });
  }
}

const gone = (): PanelFieldError => new PanelFieldError({}, 'error404Record');

const words = texts.perLanguage('doubleEntries', ({ words }) => words);
const formWords = texts.perLanguage('doubleEntries.form', ({ words, t }) => ({
  ...words,
  first: (facts: Facts) => t('doubleEntries.form.first', facts),
  later: (facts: Facts) => t('doubleEntries.form.later', facts),
  only: (facts: Facts) => t('doubleEntries.form.only', facts),
  ticketFor: (facts: { event: string; when: string }) => t('doubleEntries.form.ticketFor', facts),
}));

type Facts = { time: string; gate: string; device: string };

const isDouble = (row: PanelRow): boolean => row['kind'] === 'double_entry';

/** A time with seconds, and how far it may be wrong. */
function timeWithError(row: PanelRow, which: 'first' | 'later'): string {
  const { language, timeZone } = currentPanelRequest();
  const day = { day: 'numeric', month: 'short' } as const;
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
  const seconds = new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 1 }).format(Number(row[`${which}ErrorMs`]) / 1000);
  return `${momentWords(new Date(textOf(row[`${which}At`])), language, timeZone, { ...day, ...clock })} ± ${seconds} s`;
}

/** The event of a ticket that came in at another one. */
function ticketFacts(row: PanelRow, language: Language): string[] {
  const [event, start] = [textOf(row['ticketEvent']), textOf(row['ticketEventStart'])];
  if (event === '') return [];
  const day = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' } as const;
  return [formWords[language].ticketFor({ event, when: momentWords(new Date(start), language, currentPanelRequest().timeZone, day) })];
}

function decisionForm(row: PanelRow, language: Language): FormView {
  const own = formWords[language];
  const factsOf = (which: 'first' | 'later'): Facts => ({
    time: timeWithError(row, which),
    gate: textOf(row[`${which}Gate`]) || own.noGate,
    device: textOf(row[`${which}Device`]) || own.noDevice,
  });
  const current = row['decision'];
  return {
    lead: [isDouble(row) ? own.lead : own.wrongEvent],
    facts: isDouble(row)
      ? [own.first(factsOf('first')), own.later(factsOf('later'))]
      : [own.only(factsOf('first')), ...ticketFacts(row, language)],
    fields: [
      {
        name: 'decision',
        kind: 'choice',
        label: own.decision,
        required: true,
        value: current === 'open' ? '' : textOf(current),
        options: decisionsOn(row['kind'] as ConflictKind).map((value) => ({ value, label: words[language].values.decision[value] })),
      },
      { name: 'note', kind: 'textarea', label: own.note, help: own.noteHelp, longest: 500 },
    ],
    submit: own.submit,
  };
}
