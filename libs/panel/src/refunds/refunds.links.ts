import { pageHref } from '#panel-kit';

/** URL of the page that settles the refunds of an event. */
export const settleHref = (eventId: string): string => pageHref('refunds', 'settleSome', { 'filters.eventId': eventId });
