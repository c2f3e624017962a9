import { boardMinutes } from './board.statement.js';
import { forecastOf, type Forecast } from './forecast.js';

/** A gate on the page of the door. */
export type BoardGate = {
  /** Null: devices that named no gate, or a gate that was deleted. */
  readonly id: string | null;
  readonly name: string | null;
  /** People inside who came in here last. */
  readonly inside: number;
  /** Entries per minute, oldest first; the last one is the minute that runs. */
  readonly entries: readonly number[];
  /** Mean seconds between two people of the last minutes, without pauses; null: too few to say. */
  readonly secondsPerPerson: number | null;
};

/** A device that scanned at the event within the time of the chart, or that reports to be there. Times are ISO 8601. */
export type BoardDevice = {
  readonly id: string;
  readonly name: string;
  readonly role: string;
  /** Staff locked it. */
  readonly locked: boolean;
  /** Staff wiped or archived it: it scans no more. */
  readonly gone: 'wiped' | 'archived' | null;
  /** The gate that it reports, else that of its last scan. */
  readonly gate: string | null;
  readonly entries: number;
  /** Last scan at the event; null: none lately. */
  readonly lastAt: string | null;
  /** What it said last about itself; null: it says nothing, like hand scanners. */
  readonly contact: {
    readonly at: string;
    /** It has not reported for two minutes. */
    readonly silent: boolean;
    readonly version: string | null;
    /** Percent. */
    readonly battery: number | null;
    readonly charging: boolean | null;
    /** Lines of its journal that the server has not answered. */
    readonly unsent: number | null;
    /** Time of the server minus time of the device, and how far that may be wrong. */
    readonly clockOffsetMs: number | null;
    readonly clockErrorMs: number | null;
    readonly network: string | null;
  } | null;
};

/** Which device lets in tickets of a price while it has no connection. */
export type BoardLease = {
  readonly product: string;
  readonly price: string;
  /** Null: nobody does. */
  readonly deviceId: string | null;
  readonly device: string | null;
  readonly gate: string | null;
  /** Until when, without further contact. */
  readonly until: string | null;
};

/** The door of an event, all of one moment. Times are ISO 8601 in UTC. */
export type DoorBoard = {
  readonly event: { readonly id: string; readonly name: string; readonly startsAt: string; readonly endsAt: string };
  readonly now: string;
  /** Valid admission tickets, scanned or not. */
  readonly expected: number;
  /** Of these, tickets that came in, also when their holders left again. */
  readonly admitted: number;
  readonly inside: number;
  /** The gates of the event in the order of staff, then what belongs to none of them, if there is any. */
  readonly gates: readonly BoardGate[];
  readonly forecast: Forecast;
  /** Refused attempts of the last hour at devices with a connection, most frequent reason first. */
  readonly refusals: readonly { readonly reason: string; readonly count: number }[];
  /** Double entries that nobody decided. */
  readonly undecided: number;
  readonly devices: readonly BoardDevice[];
  /** By product and price; null: every device does. */
  readonly leases: readonly BoardLease[] | null;
};

type AtGate<Value> = { readonly gate: string | null } & Value;

/** The row of `boardStatement`. */
export interface BoardRow extends Pick<DoorBoard, 'event' | 'now' | 'refusals' | 'undecided' | 'devices' | 'leases'> {
  /** Minutes since 1970. */
  readonly minute: number;
  readonly counted: readonly AtGate<{ valid: number; admitted: number; inside: number }>[];
  readonly gates: readonly { readonly id: string; readonly name: string }[];
  readonly minutes: readonly AtGate<{ minute: number; entries: number; first: number }>[];
  readonly pace: readonly AtGate<{ seconds: number }>[];
}

const sumOf = <Row>(rows: readonly Row[], value: (row: Row) => number): number => rows.reduce((sum, row) => sum + value(row), 0);

/** The numbers of one gate, or of all that belongs to no known gate. */
function gateOf(row: BoardRow, gate: { readonly id: string | null; readonly name: string | null }, isHere: (id: string | null) => boolean) {
  const pace = row.pace.find((each) => each.gate === gate.id);
  return {
    ...gate,
    inside: sumOf(
      row.counted.filter((each) => isHere(each.gate)),
      ({ inside }) => inside,
    ),
    entries: seriesOf(
      row,
      row.minutes.filter((each) => isHere(each.gate)),
      ({ entries }) => entries,
    ),
    secondsPerPerson: pace ? Math.round(pace.seconds * 10) / 10 : null,
  };
}

function seriesOf<Row extends { readonly minute: number }>(
  { minute }: BoardRow,
  rows: readonly Row[],
  value: (row: Row) => number,
): number[] {
  const series = Array.from({ length: boardMinutes }, () => 0);
  for (const row of rows) {
    const index = boardMinutes - 1 - (minute - row.minute);
    if (index >= 0 && index < boardMinutes) series[index]! += value(row);
  }
  return series;
}

/** What the page shows, from what the statement read. */
export function toDoorBoard(row: BoardRow): DoorBoard {
  const { event, now, refusals, undecided, devices, leases } = row;
  const known = new Set(row.gates.map(({ id }) => id));
  const gates = row.gates.map((gate) => gateOf(row, gate, (id) => id === gate.id));
  const other = gateOf(row, { id: null, name: null }, (id) => id === null || !known.has(id));
  const isUsed = other.inside > 0 || other.entries.some((count) => count > 0) || gates.length === 0;
  const expected = sumOf(row.counted, ({ valid }) => valid);
  const admitted = sumOf(row.counted, (each) => each.admitted);
  const first = seriesOf(row, row.minutes, (each) => each.first);
  return {
    event,
    now,
    expected,
    admitted,
    inside: sumOf(row.counted, ({ inside }) => inside),
    gates: isUsed ? [...gates, other] : gates,
    forecast: forecastOf({ expected, admitted, entries: first, now: new Date(now), endsAt: new Date(event.endsAt) }),
    refusals,
    undecided,
    devices,
    leases,
  };
}
