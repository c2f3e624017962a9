/** Events on a page of an agenda. */
export const pageLimit = 200;
/** Events in a calendar or feed. */
export const feedLimit = 500;
/** Past events stay in subscribed calendars for a while: what is missing from a feed is removed from the calendar. */
export const calendarKeepsMs = 60 * 86_400_000;
