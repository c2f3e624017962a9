import type { PanelRow, PanelSource } from '#panel-kit';
import { currentPanelRequest } from '#panel-kit';
import { fewerSharedSql, takenSeatsSql } from '#tickets';
import { texts } from '../locales/panel.texts.js';

/** How much of an event is booked. */
export interface Filled {
  /** Of its own places: `12 / 50`. */
  readonly filled: string;
  /** What is left of the places that the dates of a series share, where that is less than the rest of its own; else null. */
  readonly sharedLeft: number | null;
}

/** SQL: the values of `Filled` for row `event`. */
export const filledSql = {
  filled: `concat(${takenSeatsSql('event')}, ' / ', event.capacity)`,
  sharedLeft: fewerSharedSql('event'),
} as const;

const words = texts.perLanguage(
  'series.left',
  ({ t }) =>
    (count: number) =>
      t('series.left.places', { count }),
);

/** `3 places left in the series`. @returns null where the own places of the event decide */
export function sharedLeftText({ sharedLeft }: Pick<Filled, 'sharedLeft'>): string | null {
  return sharedLeft === null ? null : words[currentPanelRequest().language](sharedLeft);
}

/** `12 / 50 · 3 places left in the series`. */
export const filledText = ({ filled, sharedLeft }: Filled): string => [filled, sharedLeftText({ sharedLeft })].filter(Boolean).join(' · ');

type Reader = Pick<PanelSource, 'find' | 'findOne' | 'findMany'>;

/** Reads rows of events with `filled` as a text. */
export function withFilled<Whole extends Reader>(reader: Whole): Whole {
  const told = (row: PanelRow): PanelRow => ({ ...row, filled: filledText(row as unknown as Filled) });
  return {
    ...reader,
    find: async (query) => (await reader.find(query)).map(told),
    findMany: async (ids) => (await reader.findMany(ids)).map(told),
    findOne: async (id) => {
      const row = await reader.findOne(id);
      return row && told(row);
    },
  };
}
