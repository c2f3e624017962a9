/**
 * How an unknown e-mail address is confirmed in an order of the public pages: by a mailed link; by a mailed code that is entered on the
 * page of the order, or the link; or, where nothing is to be paid, not at all.
 */
export const confirmationWays = ['link', 'code', 'none'] as const;
export type ConfirmationWay = (typeof confirmationWays)[number];
