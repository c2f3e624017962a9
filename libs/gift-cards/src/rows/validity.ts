import { isoInZone, startOfDayInZone } from '#kernel';

/** How long gift cards must be valid at a place. */
interface Term {
  /** Years of a card when the venue sets none; null: it never ends. */
  readonly years: number | null;
  /** The fewest years that a venue may set; null: none, because the law allows no end, or says nothing of one. */
  readonly least: number | null;
  /** It ends with the calendar year. */
  readonly endsWithYear?: boolean;
}

/** Where the law is not listed here, cards never end: that is lawful everywhere. */
const endless: Term = { years: null, least: null };

/**
 * By the country of the venue (ISO 3166).
 * - DE: claims lapse after three years (§ 195 BGB), counted from the end of the year of the purchase (§ 199 (1) BGB); a shorter term in
 *   general terms and conditions is void (OLG München, 29 U 4761/10).
 * - AT: thirty years (§ 1478 ABGB); shorter terms need a reason (OGH 7 Ob 22/12d).
 * - IE: five years at least (Consumer Protection (Gift Vouchers) Act 2019, section 66B).
 * - FR: the law sets none; a venue may state one (Code de la consommation, L. 112-1; DGCCRF, “Les cartes et chèques-cadeaux”).
 */
const terms: Readonly<Record<string, Term>> = {
  DE: { years: 3, least: 3, endsWithYear: true },
  AT: { years: 30, least: 30 },
  IE: { years: 5, least: 5 },
  FR: { years: null, least: 1 },
};

interface VenueTerm {
  readonly country: string | null;
  /** What the venue set; null: nothing. Fewer years than the law asks for count as those of the law. */
  readonly years: number | null;
  readonly timeZone: string;
}

/** The end of a card that is issued at an instant; null: it has none. It is the midnight after the last day, at the venue. */
export function endOfCard(issuedAt: Date, { country, years: set, timeZone }: VenueTerm): Date | null {
  const { years, least, endsWithYear = false } = terms[country?.toUpperCase() ?? ''] ?? endless;
  const valid = least === null || set === null ? years : Math.max(least, set);
  if (valid === null) return null;
  const [year = '', month = '', day = ''] = isoInZone(issuedAt, timeZone).slice(0, 10).split('-');
  const date = endsWithYear
    ? new Date(Date.UTC(Number(year) + valid + 1, 0, 1))
    : new Date(Date.UTC(Number(year) + valid, Number(month) - 1, Number(day) + 1));
  return startOfDayInZone(date.toISOString().slice(0, 10), timeZone) ?? null;
}
