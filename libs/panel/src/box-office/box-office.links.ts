import { PANEL_PATH } from '#panel-kit';

/** URL of the box office, with or without a chosen event. */
export const sellHref = (eventId?: string): string =>
  `${PANEL_PATH}/resources/reservations/actions/sell${eventId ? `?event=${encodeURIComponent(eventId)}` : ''}`;
