import { pageHref } from '#panel-kit';

/** URL of the box office, with or without a chosen event. */
export const sellHref = (event?: string): string => pageHref('reservations', 'sell', event ? { event } : {});
