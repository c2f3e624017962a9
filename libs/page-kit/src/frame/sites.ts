import type { Venue } from './venue.js';

/** The origins of the sites that may show the venue's pages in frames. */
export function sitesOf({ allowedSites }: Pick<Venue, 'allowedSites'>): string[] {
  return (allowedSites ?? '').split(/\s+/).filter((site) => site !== '');
}

/** Whether a browser asks for the page of a frame. Old browsers, and all browsers on plain http, do not say so. */
export function isForFrame(destination: string | undefined): boolean {
  return destination === 'iframe';
}
