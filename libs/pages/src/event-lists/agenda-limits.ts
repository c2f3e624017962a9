/** Maximum number of events on a page of an agenda. */
export const pageLimit = 200;
/** Maximum number of events in a calendar or feed. */
export const feedLimit = 500;
/** Maximum number of events in the sitemap of a tenant with its own events. */
export const sitemapLimit = 500;
/** Past events stay in the feed for a while, because calendars remove events that are missing from it. */
export const calendarKeepsMs = 60 * 86_400_000;
