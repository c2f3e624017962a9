import { fromCents, toCents } from '#kernel';

/** Whole amounts to whose next multiple buyers may round the sum of an order up. */
const roundSteps = [5, 10] as const;
export type RoundStep = (typeof roundSteps)[number];

/** A way to round a sum up. Amounts are decimal texts. */
export interface RoundUp {
  readonly step: RoundStep;
  /** The sum after it. */
  readonly sum: string;
  /** What is given. */
  readonly missing: string;
}

/** The step of a typed text; undefined: it is none. */
export const roundStepOf = (typed: string): RoundStep | undefined => roundSteps.find((step) => String(step) === typed);

/** What is missing from a sum to the next multiple of a step; `0.00` for a multiple, and for what is free. Decimal texts. */
export function missingTo(sum: string, step: RoundStep): string {
  const beyond = toCents(sum) % (step * 100);
  return fromCents(beyond === 0 ? 0 : step * 100 - beyond);
}

/** The ways to round a sum up, the smallest first, each to another sum. None for what is free. @param sum decimal text */
export function roundUps(sum: string): RoundUp[] {
  const ways = roundSteps.map((step) => ({ step, missing: missingTo(sum, step) })).filter(({ missing }) => toCents(missing) > 0);
  return ways
    .filter(({ missing }, index) => ways.findIndex((one) => one.missing === missing) === index)
    .map((way) => ({ ...way, sum: fromCents(toCents(sum) + toCents(way.missing)) }));
}
