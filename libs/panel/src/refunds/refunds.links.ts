import { PANEL_PATH } from '#panel-kit';

/** URL of the page that settles the refunds of an event. */
export const settleHref = (eventId: string): string =>
  `${PANEL_PATH}/resources/refunds/actions/settleSome?filters.eventId=${encodeURIComponent(eventId)}`;
