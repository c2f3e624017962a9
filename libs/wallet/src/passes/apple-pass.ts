import { inkOn, isoInZone, languages, mixed, rgbOf, type Language } from '#kernel';
import { chargeWords, drawApplePasses, placeLines, type MailTicket, type ReservationMailFacts } from '#messages';
import type { AppleCredentials } from '../accounts/apple-credentials.js';
import { goodsPassWords, passWords } from './pass-words.js';

/**
 * Signed passes of tickets for Apple Wallet: a `.pkpass` file for one, `.pkpasses` for several. Labels are in the language of
 * the phone, else in that of the ticket.
 * @param accent the colour of the venue, `#rrggbb`
 * @throws DrawingFailedError
 */
export function applePasses(
  facts: ReservationMailFacts,
  tickets: readonly MailTicket[],
  { credentials, accent }: AppleSigning,
): Promise<Buffer> {
  const { language, tenant } = facts;
  const { certificate, privateKey, authority } = credentials;
  return drawApplePasses({
    passes: tickets.map((ticket) => ({
      ...passOf(facts, ticket, credentials),
      organizationName: tenant.name,
      description: wordsOf(ticket, language).description,
      ...(tenant.logo === undefined && { logoText: tenant.name }),
      ...coloursOf(accent),
    })),
    translations: translationsFrom(language),
    venue: tenant.name,
    accent,
    logo: tenant.logo,
    signing: { certificate, privateKey, authority },
  });
}

interface AppleSigning {
  readonly credentials: AppleCredentials;
  readonly accent: string;
}

/** The texts about a ticket, which may be goods. */
function wordsOf({ admission }: MailTicket, language: Language): (typeof passWords)[Language] {
  return admission ? passWords[language] : goodsPassWords[language];
}

/** What the pass says, without its looks. See Apple's “Pass” in the documentation of Wallet passes. */
function passOf(facts: ReservationMailFacts, ticket: MailTicket, { passTypeIdentifier, teamIdentifier }: AppleCredentials): object {
  const { language, tenant, event, reservation } = facts;
  const words = wordsOf(ticket, language);
  const starts = isoInZone(event.startsAt, tenant.timeZone);
  // The venue's clock, wherever the phone is.
  const moment = { dateStyle: 'PKDateStyleMedium', timeStyle: 'PKDateStyleShort', ignoresTimeZone: true };
  const clock = { dateStyle: 'PKDateStyleNone', timeStyle: 'PKDateStyleShort', ignoresTimeZone: true };
  const place = placeLines(event.place);
  const [where = tenant.name] = place;
  const { id, code, holder, product, price, amount } = ticket;
  const cost = facts.hidesAmounts ? '' : chargeWords(amount, reservation.currency, language);
  const kind = [...new Set([product, price, cost])].filter(Boolean).join(' · ');
  const address = place.join(', ') || (tenant.address ?? '');
  return {
    formatVersion: 1,
    passTypeIdentifier,
    teamIdentifier,
    serialNumber: id,
    relevantDate: event.startsAt.toISOString(),
    barcodes: [{ format: 'PKBarcodeFormatQR', message: code, messageEncoding: 'iso-8859-1', altText: reservation.reference }],
    eventTicket: {
      headerFields: [],
      primaryFields: [{ key: 'event', ...(event.subtitle && { label: event.subtitle }), value: event.name }],
      secondaryFields: [
        { key: 'when', label: words.when, value: starts, ...moment },
        { key: 'where', label: words.where, value: where },
      ],
      auxiliaryFields: [
        ...(event.doorsAt ? [{ key: 'doors', label: words.doors, value: isoInZone(event.doorsAt, tenant.timeZone), ...clock }] : []),
        ...(holder ? [{ key: 'holder', label: words.holder, value: holder }] : []),
        { key: 'price', label: words.price, value: price || product },
      ],
      backFields: [
        { key: 'ticket', label: words.ticket, value: kind },
        { key: 'reference', label: words.reference, value: reservation.reference },
        ...(event.endsAt ? [{ key: 'until', label: words.until, value: isoInZone(event.endsAt, tenant.timeZone), ...moment }] : []),
        ...(address ? [{ key: 'address', label: words.address, value: address }] : []),
        { key: 'page', label: words.page, value: event.url },
        { key: 'note', label: words.note, value: words.changes },
      ],
    },
  };
}

function coloursOf(accent: string): object {
  const ink = inkOn(accent);
  const rgb = (colour: string): string => `rgb(${rgbOf(colour).join(', ')})`;
  return { backgroundColor: rgb(accent), foregroundColor: rgb(ink), labelColor: rgb(mixed(ink, accent, 0.15)) };
}

/** The texts of a language as keys, with their translations: phones in other languages show the keys. */
function translationsFrom(language: Language): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const pairsIn = (other: Language): [string, string][] =>
    [goodsPassWords, passWords].flatMap((words) => {
      const names = Object.keys(words[language]) as (keyof (typeof words)[Language])[];
      return names.map((name): [string, string] => [words[language][name], words[other][name]]);
    });
  return Object.fromEntries(languages.map((other) => [other, Object.fromEntries(pairsIn(other))]));
}
