/** Prints a measured number of the scanner app beside its aim; docs/scanning.md has the list. */
export function printNumber(number: number, what: string, seen: string): void {
  console.log(`Number ${number}. ${what}: ${seen}`);
}

/** Whole milliseconds in words. */
export const ms = (value: number): string => `${Math.round(value)} ms`;
