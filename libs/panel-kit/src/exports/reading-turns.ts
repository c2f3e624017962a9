import { FairLimit } from '#kernel';
import { limits } from '../limits.js';

/** Turns of what reads whole tables. */
export const readings = new FairLimit(limits.readings.turns);
