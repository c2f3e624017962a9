import { PANEL_PATH } from '#panel-kit';

/** The box office, for an event or to choose one there. */
export const sellHref = (eventId?: string): string =>
  `${PANEL_PATH}/resources/reservations/actions/sell${eventId ? `?event=${encodeURIComponent(eventId)}` : ''}`;
