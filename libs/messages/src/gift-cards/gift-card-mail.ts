import { currency, dayWords, moneyWords, type Language } from '#kernel';
import { mailWords } from '../facts/mail.words.js';
import { cardsDrawing, type SheetCard } from '../documents/tickets-sheet.js';
import { address, button, facts, fineprint, note, paragraph, type MailBlock } from '../layout/mail-blocks.js';
import { mailFrame, venueMessage, type MailTenant } from '../layout/mail-frame.js';
import { texts } from '../locales/messages.texts.js';
import type { MailMessage } from '../transport/mail-message.js';

const words = texts.perLanguage('giftCard', ({ words: own, t }) => ({
  ...own,
  subject: (venue: string) => t('giftCard.subject', { venue }),
  subjectFrom: (name: string, venue: string) => t('giftCard.subjectFrom', { name, venue }),
  lead: (amount: string, venue: string) => t('giftCard.lead', { amount, venue }),
  leadFrom: (name: string, amount: string, venue: string) => t('giftCard.leadFrom', { name, amount, venue }),
  use: (address: string) => t('giftCard.use', { address }),
  boughtSubject: (venue: string) => t('giftCard.boughtSubject', { venue }),
  boughtLead: (amount: string, venue: string) => t('giftCard.boughtLead', { amount, venue }),
  boughtMailed: (email: string, day: string) => t('giftCard.boughtMailed', { email, day }),
  footer: (venue: string) => t('giftCard.footer', { venue }),
  picture: (code: string) => t('giftCard.picture', { code }),
  until: (day: string) => t('giftCard.until', { day }),
}));

/** What mails and documents say about a gift card. */
export interface GiftCardFacts {
  readonly language: Language;
  readonly tenant: MailTenant;
  /** Decimal text. */
  readonly amount: string;
  /** In groups, as people read it. */
  readonly code: string;
  readonly message: string | null;
  readonly buyerName: string;
  readonly recipientName: string;
  readonly expiresAt: Date | null;
  /** Of the page with the balance. */
  readonly balanceUrl: string;
}

/** A mail about the purchase of a gift card. */
export interface BoughtCardFacts extends GiftCardFacts {
  readonly email: string;
  /** Where and on which day it is mailed; undefined: the buyer prints it. */
  readonly mailed: { readonly email: string; readonly day: string } | undefined;
  /** Of the page of the purchase; undefined: staff issued the card. */
  readonly pageUrl: string | undefined;
}

/** The mail that gives a card to its receiver, with the card to print. */
export function giftCardMessage(data: GiftCardFacts & { readonly email: string }): MailMessage {
  const { language, tenant, amount, buyerName, recipientName, message, balanceUrl, email } = data;
  const own = words[language];
  const money = moneyWords(amount, currency, language);
  const subject = buyerName ? own.subjectFrom(buyerName, tenant.name) : own.subject(tenant.name);
  const content = mailFrame({
    language,
    tenant,
    subject,
    title: own.title,
    greeting: mailWords[language].hello(recipientName),
    blocks: [
      paragraph(buyerName ? own.leadFrom(buyerName, money, tenant.name) : own.lead(money, tenant.name)),
      ...(message ? [note(message)] : []),
      ...cardBlocks(data),
      paragraph(own.use(new URL(balanceUrl).host)),
      button(own.balance, balanceUrl),
      fineprint(own.keep),
    ],
    footer: own.footer(tenant.name),
  });
  return venueMessage(tenant, { to: email, toName: recipientName }, content, [attachmentOf(data)]);
}

/** The mail that confirms a purchase, with the card when the buyer prints it. */
export function giftCardBoughtMessage(data: BoughtCardFacts): MailMessage {
  const { language, tenant, amount, buyerName, email, mailed, pageUrl } = data;
  const own = words[language];
  const content = mailFrame({
    language,
    tenant,
    subject: own.boughtSubject(tenant.name),
    title: own.title,
    greeting: mailWords[language].hello(buyerName),
    blocks: [
      paragraph(own.boughtLead(moneyWords(amount, currency, language), tenant.name)),
      ...(mailed
        ? [paragraph(own.boughtMailed(mailed.email, mailed.day))]
        : [paragraph(own.print), ...cardBlocks(data), fineprint(own.keep)]),
      ...(pageUrl === undefined ? [] : [button(own.page, pageUrl), address(mailWords[language].confirm.link, pageUrl)]),
    ],
    footer: own.footer(tenant.name),
  });
  return venueMessage(tenant, { to: email, toName: buyerName }, content, mailed ? [] : [attachmentOf(data)]);
}

/** A card to print and cut, with a QR code that leads to its balance. */
export function giftCardSheet(data: GiftCardFacts): SheetCard {
  const { language, tenant, amount, code, message, recipientName, buyerName, balanceUrl } = data;
  const own = words[language];
  return {
    venue: tenant.name,
    title: `${own.title} · ${moneyWords(amount, currency, language)}`,
    facts: [recipientName, buyerName].filter(Boolean).join(' ← '),
    details: message ?? '',
    typed: code,
    where: own.use(new URL(balanceUrl).host),
    foot: endOf(data) ?? '',
    picture: own.picture(code),
    code: balanceUrl,
  };
}

function cardBlocks(data: GiftCardFacts): MailBlock[] {
  const { language, amount, code } = data;
  const own = words[language];
  const end = endOf(data);
  return [
    facts([
      [own.code, code],
      [own.value, moneyWords(amount, currency, language)],
      ...(end === undefined ? [] : [[own.validity, end] as const]),
    ]),
  ];
}

/** The last day; undefined: the card does not end. */
function endOf({ language, tenant, expiresAt }: GiftCardFacts): string | undefined {
  return expiresAt === null ? undefined : words[language].until(dayWords(new Date(expiresAt.getTime() - 1), language, tenant.timeZone));
}

function attachmentOf(data: GiftCardFacts) {
  const { language, tenant } = data;
  const { title } = words[language];
  const about = { language, title, author: tenant.name };
  return { filename: 'gift-card.pdf', contentType: 'application/pdf', content: cardsDrawing(about, [giftCardSheet(data)]) };
}
