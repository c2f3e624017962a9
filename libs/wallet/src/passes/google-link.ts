import { createHash, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { databaseNow, isoInZone } from '#kernel';
import { placeLines, type MailTicket, type ReservationMailFacts } from '#messages';
import type { GoogleCredentials } from '../accounts/google-credentials.js';

const signAsync = promisify(sign);

/** Google asks for tokens of at most so many characters, because browsers and servers cut longer addresses. */
export const longestToken = 1800;

/** Characters of each text, tried until the token is short enough. */
const textLengths = [100, 60, 40, 24, 12] as const;

/**
 * The address that saves one ticket in Google Wallet: a token with the class of the event and the ticket, signed with RS256. Long texts are
 * cut. Nothing is sent to Google before the holder opens it.
 * @param accent the colour of the venue, `#rrggbb`
 */
export async function googleSaveUrl(
  facts: ReservationMailFacts,
  ticket: MailTicket,
  { credentials, accent }: { readonly credentials: GoogleCredentials; readonly accent: string },
): Promise<string> {
  const head = part({ alg: 'RS256', typ: 'JWT' });
  // Base64url of 256 bytes, and two dots.
  const room = longestToken - head.length - 342 - 2;
  const claims = { iss: credentials.email, aud: 'google', typ: 'savetowallet', iat: Math.floor(databaseNow().getTime() / 1000) };
  let body = '';
  for (const most of textLengths) {
    body = part({ ...claims, payload: payloadOf(facts, ticket, { issuerId: credentials.issuerId, accent, most }) });
    if (body.length <= room) break;
  }
  const signature = await signAsync('sha256', Buffer.from(`${head}.${body}`), credentials.privateKey);
  return `https://pay.google.com/gp/v/save/${head}.${body}.${signature.toString('base64url')}`;
}

interface PayloadOptions {
  readonly issuerId: string;
  readonly accent: string;
  /** Characters of each text. */
  readonly most: number;
}

/** See `EventTicketClass` and `EventTicketObject` in Google's reference. */
function payloadOf(facts: ReservationMailFacts, ticket: MailTicket, { issuerId, accent, most }: PayloadOptions): object {
  const { language, tenant, event, reservation } = facts;
  const text = (value: string): object => ({ defaultValue: { language, value: cut(value, most) } });
  // Google keeps the first class and ticket of an id, so that another version of the event or code needs another id.
  const classId = `${issuerId}.${shortHash(event.url)}.${event.sequence}`;
  const [name = tenant.name, ...rest] = placeLines(event.place);
  const address = rest.join(', ') || (tenant.address ?? '');
  const { id, code, holder, product, price } = ticket;
  return {
    eventTicketClasses: [
      {
        id: classId,
        issuerName: cut(tenant.name, most),
        reviewStatus: 'UNDER_REVIEW',
        eventName: text(event.name),
        ...(address && { venue: { name: text(name), address: text(address) } }),
        // The phone has the label of the doors in its language.
        dateTime: {
          ...(event.doorsAt && { doorsOpen: isoInZone(event.doorsAt, tenant.timeZone) }),
          start: isoInZone(event.startsAt, tenant.timeZone),
        },
        hexBackgroundColor: accent,
      },
    ],
    eventTicketObjects: [
      {
        id: `${issuerId}.${shortHash(`${id} ${event.sequence} ${code}`)}`,
        classId,
        state: 'ACTIVE',
        barcode: { type: 'QR_CODE', value: code },
        ...(holder && { ticketHolderName: cut(holder, most) }),
        ticketNumber: reservation.reference,
        ticketType: text(price || product),
      },
    ],
  };
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** 22 characters that ids at Google may have. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
}

function cut(text: string, most: number): string {
  const characters = [...text.toWellFormed()];
  return characters.length <= most ? characters.join('') : `${characters.slice(0, most - 1).join('')}…`;
}
