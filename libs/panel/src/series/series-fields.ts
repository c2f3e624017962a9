import { type SeriesDates, seriesSteps } from '#catalogue';
import { currentPanelRequest, type FormField, PanelFieldError, type PanelRow, textOf } from '#panel-kit';
import { RefusedInput } from '#kernel';
import { hasModule } from '#tenancy';
import { datesWords, seriesWords } from './series.words.js';

const steps = Object.keys(seriesSteps) as (keyof typeof seriesSteps)[];

/** Days and times of day that the form takes in one step. */
const [mostDays, mostClocks] = [60, 10];

/**
 * The fields that say on which further dates an event takes place, and whether they share its places.
 * @param value the step that is chosen first; empty: none
 * @param options.asksPlaces false where the event has a series, which has a form for its places
 */
export function dateFields(value: (typeof steps)[number] | '', { asksPlaces = true } = {}): FormField[] {
  const words = seriesWords[currentPanelRequest().language];
  const options = [...steps.map((step) => ({ value: step, label: words[step] })), { value: 'other', label: words.other }];
  const more = { field: 'step', values: options.map((option) => option.value) };
  return [
    { name: 'step', kind: 'select', label: words.step, value, options, empty: words.once },
    { name: 'until', kind: 'date', label: words.until, required: true, beside: true, when: { field: 'step', values: steps } },
    {
      name: 'days',
      kind: 'rows',
      label: words.days,
      when: more,
      rows: {
        legend: words.day1,
        initial: 0,
        most: mostDays,
        add: words.addDay,
        remove: words.removeDay,
        fields: [{ name: 'day', kind: 'date', label: words.day1, required: true }],
      },
    },
    {
      name: 'clocks',
      kind: 'rows',
      label: words.clocks,
      help: words.clocksHelp,
      when: more,
      rows: {
        legend: words.clock,
        initial: 0,
        most: mostClocks,
        add: words.addClock,
        remove: words.removeClock,
        fields: [{ name: 'clock', kind: 'time', label: words.clock, required: true }],
      },
    },
    ...(asksPlaces && hasModule('ticketing') ? [placesField(more)] : []),
  ];
}

function placesField(when: FormField['when'] & object): FormField {
  const words = seriesWords[currentPanelRequest().language];
  const options = [
    { value: 'own', label: words.ownPlaces },
    { value: 'shared', label: words.sharedPlaces },
  ];
  return { name: 'places', kind: 'select', label: words.places, help: words.placesHelp, value: 'own', options, when };
}

/** Whether the form says that the dates share their places. */
export function sharesPlaces(values: PanelRow): boolean {
  return hasModule('ticketing') && textOf(values['places']) === 'shared';
}

/** Says which dates a form makes, before anything is made; empty while it makes none, or a field is wrong. @param starts of these dates */
export async function datesShown(values: PanelRow, starts: (dates: SeriesDates) => Promise<readonly Date[]>): Promise<string> {
  try {
    const dates = datesIn(values);
    const made = dates ? await starts(dates) : [];
    return made.length === 0 ? '' : datesWords(made);
  } catch (error) {
    // The field says what is wrong when the form is sent.
    if (error instanceof RefusedInput || error instanceof PanelFieldError) return '';
    throw error;
  }
}

/** What the fields say; undefined: no further dates. @throws PanelFieldError */
export function datesIn(values: PanelRow): SeriesDates | undefined {
  const chosen = textOf(values['step']);
  if (chosen === '') return undefined;
  const step = steps.find((one) => one === chosen);
  if (!step && chosen !== 'other') throw new PanelFieldError({ step: { message: 'fieldChoice' } });
  const rows = (name: string, most: number): string[] =>
    Array.from({ length: most }, (_, index) => textOf(values[`${name}${index + 1}`]).trim()).filter(Boolean);
  const until = textOf(values['until']).trim();
  return {
    ...(step && { step }),
    ...(step && until !== '' && { until }),
    days: rows('day', mostDays),
    clocks: rows('clock', mostClocks),
  };
}
