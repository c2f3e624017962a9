import { PANEL_PATH } from '#panel-kit';

const pageHref = (page: string, eventId: string): string =>
  `${PANEL_PATH}/resources/scan-log/actions/${page}?event=${encodeURIComponent(eventId)}`;

/** URL of the live page of the door of an event. */
export const doorHref = (eventId: string): string => pageHref('door', eventId);

/** URL of the guest list of an event. */
export const guestListHref = (eventId: string): string => pageHref('guests', eventId);
