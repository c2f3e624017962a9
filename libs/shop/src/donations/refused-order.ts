import type { EnteredCode } from '#pages';
import type { TypedDonation } from './ask-donation.js';

/** What was sent and refused. */
export interface Refused {
  readonly body: unknown;
  readonly signedIn: string | undefined;
  readonly donation?: TypedDonation;
  /** Why places for others were refused. */
  readonly places?: string;
  readonly code?: EnteredCode;
}
