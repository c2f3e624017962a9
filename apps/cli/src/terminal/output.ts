import type { Command } from 'commander';
import { partsInZone } from '#kernel';

/** How commands are typed; for help and hints. */
export const guichet = 'npm run -s guichet --';

/** Writes a progress line or a hint to standard error, so that standard output contains only the result. */
export function say(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** Writes the result: with `--json` the document, else the text for people (one text, or lines). */
export function show(options: { json?: boolean }, document: unknown, forPeople: string | readonly string[]): void {
  const text = options.json ? JSON.stringify(document, null, 2) : [forPeople].flat().join('\n');
  process.stdout.write(`${text}\n`);
}

/** Adds `--json` and examples; each example is the arguments after `guichet` and an explanation. */
export function documented(command: Command, examples: Readonly<Record<string, string>>): Command {
  const lines = Object.entries(examples).map(([words, effect]) => `  ${guichet} ${words}\n      ${effect}`);
  return command.option('--json', 'print JSON').addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** A table for people; an empty one is one line that says so. */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[], empty: string): string[] {
  if (rows.length === 0) return [empty];
  const cells = [headings, ...rows].map((row) => row.map((cell) => printable(String(cell ?? ''))));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => [...(row[column] ?? '')].length)));
  const pad = (cell: string, column: number): string => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length);
  return cells.map((row) => row.map(pad).join('  ').trimEnd());
}

/** Names and values, one per line; those without a value are left out. */
export function fields(values: Readonly<Record<string, unknown>>): string[] {
  const present = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const width = Math.max(...present.map(([name]) => name.length));
  return present.map(([name, value]) => `${name.padEnd(width)}  ${printable(String(value))}`);
}

/** `2026-11-20 20:30` in a time zone, by default this machine's; a dash for never. */
export function clock(instant: Date | null, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone): string {
  if (!instant) return '-';
  const { year, month, day, hour, minute } = partsInZone(instant, timeZone);
  return `${year}-${month}-${day} ${hour}:${minute}`;
}

/** Removes control characters: users choose names, and these must not control an operator's terminal. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?');
}
