import { pageSizes, type TaggedPage } from '../pdf/tagged-pdf.js';
import { paperStyles } from './paper-styles.js';

/** What the head of a ticket or card shows. */
interface VenueHead {
  readonly venue: string;
  readonly logo?: Uint8Array | undefined;
  readonly accent?: string | undefined;
  /** In points, of logo and name. */
  readonly width: number;
}

/**
 * Draws the head of an A5 ticket or card: a bar in the colour of the venue, the logo and the venue's name beside it.
 * @returns the top of the content below, in points
 */
export function drawVenueHead(page: TaggedPage, { venue, logo, accent = paperStyles.venue.color, width }: VenueHead): number {
  const { margin } = pageSizes.a5;
  page.decorate(() => page.doc.rect(0, 0, pageSizes.a5.width, 6).fill(accent));
  const [top, height] = [26, 34];
  const taken = page.logo(logo, [margin, top - 6], [width / 2, height]);
  const gap = taken > 0 ? taken + 10 : 0;
  const name = page.fit(venue, { ...paperStyles.venue, color: accent }, width - gap);
  const below = page.add('P', name, { top, x: margin + gap, width: width - gap });
  return taken > 0 ? Math.max(below, top - 6 + height) : below;
}

interface VenueContact {
  readonly address?: string | null;
  readonly email: string | null;
  readonly website?: string | null;
}

/** The postal address, mail address and website of a venue, those that it has. */
export const contactLines = ({ address, email, website }: VenueContact): string[] =>
  [address, email, website].map((line) => line?.trim() ?? '').filter((line) => line !== '');
