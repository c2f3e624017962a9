import { costsNothing, dayWords, localeOf, sumOf, withMinus } from '#kernel';
import type { AmountLine } from '../drawings/drawing.js';
import { eventWhen } from '../facts/event-facts.js';
import type { ReceiptFacts, ReceiptItem } from '../facts/mail-facts.js';
import { mailWords } from '../facts/mail.words.js';
import { drawInThread } from '../threads/shared-threads.js';
import { contactLines } from '../drawings/venue-head.js';

/**
 * Renders the receipt of a reservation or a membership as a PDF: items, VAT by rate, payments and refunds. Accepts any text; characters
 * without a glyph become boxes.
 * @throws DrawingFailedError
 */
export function receiptPdf(facts: ReceiptFacts): Promise<Buffer> {
  const { language, tenant, items, payments } = facts;
  const { receipt: words, total } = mailWords[language];
  const sold = 'event' in facts ? facts.reservation : facts.membership;
  // With cents also for whole amounts, so that they stand below each other.
  const format = new Intl.NumberFormat(localeOf(language), { style: 'currency', currency: sold.currency });
  const money = (amount: string): string => withMinus(format.format(amount as `${number}`));
  const day = (instant: Date): string => dayWords(instant, language, tenant.timeZone);
  const buyer = [`${sold.firstName} ${sold.lastName}`.trim(), sold.email].filter(Boolean).join(', ');
  return drawInThread({
    kind: 'receipt',
    about: { language, title: words.title(sold.reference), author: tenant.name, subject: sold.reference },
    receipt: {
      venue: tenant.name,
      address: contactLines(tenant),
      title: words.title(sold.reference),
      facts: [...(buyer ? [[words.buyer, buyer] as const] : []), ...subjectLines(facts, day), ...codeLines(facts, money)],
      lines: items.map(({ what, quantity, amount }) => ({
        label: `${quantity} × ${what}${quantity > 1 ? ` (${money(amount)})` : ''}`,
        amount: money(sumOf([{ amount, quantity }])),
      })),
      sums: [
        { label: total, amount: money(sumOf(items)), isStrong: true },
        ...vatLines(items, language, money),
        ...payments.map(({ kind, at, method, amount }) => {
          const said = kind === 'refund' ? words.refunded : words.paid;
          return { label: at ? said(method, day(at)) : words.refundDue(method), amount: `${kind === 'refund' ? '−' : ''}${money(amount)}` };
        }),
      ],
    },
    logo: tenant.logo,
  });
}

/** What was sold: the event with its time, or the membership with its period. An end at midnight is shown as the day before. */
function subjectLines(facts: ReceiptFacts, day: (instant: Date) => string): readonly (readonly [string, string])[] {
  const { membership: words, receipt, when } = mailWords[facts.language];
  if ('event' in facts) {
    return [
      [receipt.event, facts.event.name],
      [when, eventWhen(facts.event, facts)],
    ];
  }
  const { name, validFrom, validUntil } = facts.membership;
  return [
    [words.kind, name],
    [words.from, day(validFrom)],
    [words.until, validUntil ? day(new Date(validUntil.getTime() - 1)) : words.unlimited],
  ];
}

/** The code that the tickets use and the discounts that they have, and what these saved. */
function codeLines(facts: ReceiptFacts, money: (amount: string) => string): readonly (readonly [string, string])[] {
  const used = 'event' in facts ? facts.reservation.usedCode : null;
  const discounts = 'event' in facts ? (facts.reservation.discounts ?? []) : [];
  const { receipt } = mailWords[facts.language];
  return [
    ...(!used || costsNothing(used.saved) ? [] : [[receipt.code, `${used.code} (−${money(used.saved)})`] as const]),
    ...discounts.map(({ name, saved }) => [receipt.discount, `${name} (−${money(saved)})`] as const),
  ];
}

/** The VAT that the total contains, by rate. Items without a known rate have no line. */
function vatLines(items: readonly ReceiptItem[], language: ReceiptFacts['language'], money: (amount: string) => string): AmountLine[] {
  const rates = [...new Set(items.flatMap(({ vatRate }) => vatRate ?? []))].toSorted((one, other) => Number(one) - Number(other));
  const percent = new Intl.NumberFormat(localeOf(language), { style: 'percent', maximumFractionDigits: 2 });
  return rates.map((rate) => {
    const vat = sumOf(items.filter(({ vatRate }) => vatRate === rate).map((item) => ({ amount: item.vat ?? '0.00' })));
    return { label: mailWords[language].receipt.vat(percent.format(Number(rate) / 100)), amount: money(vat) };
  });
}
