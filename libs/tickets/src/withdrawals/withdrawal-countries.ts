/**
 * ISO 3166 codes of the places where the right of withdrawal of Directive 2011/83/EU applies, and with it the withdrawal function of
 * article 11a (Directive (EU) 2023/2673, since 19 June 2026): the members of the European Union (article 52 TEU,
 * https://european-union.europa.eu/principles-countries-history/eu-countries_en), those of their regions where EU law applies and that have
 * codes of their own (article 355 TFEU), and the other states of the European Economic Area (EEA Agreement, annex XIX).
 */
const countries: ReadonlySet<string> = new Set(
  `AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE
  GP MQ GF RE YT MF AX IS LI NO`.split(/\s+/),
);

/**
 * Whether contracts with a venue can be withdrawn from.
 * @param country of the venue; without one it applies, so that nobody avoids it with an empty field
 */
export function hasWithdrawal(country: string | null | undefined): boolean {
  return !country || countries.has(country);
}
