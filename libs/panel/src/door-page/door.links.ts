import { pageHref } from '#panel-kit';

/** URL of the live page of the door of an event. */
export const doorHref = (event: string): string => pageHref('scan-log', 'door', { event });

/** URL of the guest list of an event. */
export const guestListHref = (event: string): string => pageHref('scan-log', 'guests', { event });
