/** Maximum number of events on a page of an agenda for programs, and of one day or month on a page for people. */
export const pageLimit = 200;
/** About how many events a page for people shows in each view, so that it stays below 30 kB: whole days. */
export const viewLimits = { list: 50, cards: 16, month: pageLimit, belowMonth: 30 } as const;
/** Maximum number of events in a calendar or feed. */
export const feedLimit = 500;
/** Maximum number of events in the sitemap of a tenant with its own events. */
export const sitemapLimit = 500;
/** Past events stay in the feed for a while, because calendars remove events that are missing from it. */
export const calendarKeepsMs = 60 * 86_400_000;
