import type { TextLimits } from '#kernel';

/** Names of people on reservations, tickets and memberships. */
export const holderTexts = { firstName: 100, lastName: 100 } as const satisfies TextLimits;

/** What the venue writes to holders. */
export const longestNote = 2000;
