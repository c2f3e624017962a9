import { dayWords } from '#kernel';
import type { CardDrawing } from '../drawings/drawing.js';
import type { MembershipMailFacts } from '../facts/mail-facts.js';
import { mailWords } from '../facts/mail.words.js';
import { drawInThread } from '../threads/shared-threads.js';
import { accentOnPaper } from './drawing-colours.js';

/**
 * Renders a membership card as a PDF of one page. Accepts any text; characters without a glyph become boxes.
 * @throws DrawingFailedError
 */
export function membershipPdf(facts: MembershipMailFacts): Promise<Buffer> {
  return drawInThread(cardDrawing(facts));
}

/** A membership card as a document. */
export function cardDrawing({ language, tenant, membership }: MembershipMailFacts): CardDrawing {
  const { membership: words, reference: referenceWord } = mailWords[language];
  const { firstName, lastName, email, name, reference, validFrom, validUntil, code } = membership;
  const day = (instant: Date): string => dayWords(instant, language, tenant.timeZone);
  // The membership ends at midnight, so the last valid day is the day before.
  const until = validUntil ? day(new Date(validUntil.getTime() - 1)) : words.unlimited;
  return {
    kind: 'membership-card',
    about: { language, title: words.subject(tenant.name), author: tenant.name, subject: reference },
    card: {
      venue: tenant.name,
      name,
      member: [firstName, lastName].filter(Boolean).join(' ') || email,
      validity: [`${words.from} ${day(validFrom)}`, `${words.until} ${until}`],
      reference: `${referenceWord} ${reference}`,
      picture: words.picture,
      code,
    },
    logo: tenant.logo,
    accent: accentOnPaper(tenant),
  };
}
