import { percentile } from './bench-figures.js';

/** One line of a table: what was measured, and what it shall be. */
export interface Figure {
  readonly name: string;
  readonly values: readonly number[];
  readonly unit: string;
  /** The aim is at most this, by the value in 95 of 100. */
  readonly aim?: number;
}

/** Prints figures with median, 95th percentile, greatest value and aim. */
export function printFigures(figures: readonly Figure[]): void {
  const rows = figures.map(({ name, values, unit, aim }) => {
    const [p50, p95, most] = [percentile(values, 50), percentile(values, 95), Math.max(...values)];
    const verdict = aim === undefined ? '' : `${p95 <= aim ? 'reached' : 'MISSED'} (at most ${aim} ${unit})`;
    return [name, `${values.length}`, ...[p50, p95, most].map((value) => `${shown(value)} ${unit}`), verdict];
  });
  const all = [['', 'times', 'p50', 'p95', 'most', 'aim for p95'], ...rows];
  const widths = all[0]!.map((_, at) => Math.max(...all.map((row) => row[at]!.length)));
  for (const row of all)
    console.log(`  ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!))).join('  ')}`);
}

const shown = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1));
