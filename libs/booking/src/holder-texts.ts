import type { TextLimits } from '#kernel';

/** Maximum lengths of names on reservations, tickets and memberships. */
export const holderTexts = { firstName: 100, lastName: 100 } as const satisfies TextLimits;

/** Maximum length of a note from the venue to a holder. */
export const longestNote = 2000;
