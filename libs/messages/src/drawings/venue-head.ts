import { pageSizes, type TaggedPage } from '../pdf/tagged-pdf.js';
import { paperStyles } from './paper-styles.js';

/** Draws the head of an A5 ticket or card: the logo and the venue's name beside it. @returns the top of the content below, in points */
export function drawVenueHead(page: TaggedPage, venue: string, logo: Uint8Array | undefined, width: number): number {
  const { margin } = pageSizes.a5;
  const [top, height] = [26, 34];
  const taken = page.logo(logo, [margin, top - 6], [width / 2, height]);
  const gap = taken > 0 ? taken + 10 : 0;
  const name = page.fit(venue, paperStyles.venue, width - gap);
  const below = page.add('P', name, { top, x: margin + gap, width: width - gap });
  return taken > 0 ? Math.max(below, top - 6 + height) : below;
}
