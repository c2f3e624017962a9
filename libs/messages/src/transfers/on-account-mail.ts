import { type Language, sumOf } from '#kernel';
import type { ReceiptDrawing } from '../drawings/drawing.js';
import { chargeWords } from '../facts/event-facts.js';
import type { MailTransfer } from '../facts/mail-facts.js';
import { mailWords } from '../facts/mail.words.js';
import { facts, noBlock, note, paragraph, picture } from '../layout/mail-blocks.js';
import { mailFrame, venueMessage, type MailTenant } from '../layout/mail-frame.js';
import { texts } from '../locales/messages.texts.js';
import type { MailMessage } from '../transport/mail-message.js';
import { transferDay, transferRows, transferWords } from './transfer-words.js';
import { contactLines } from '../drawings/venue-head.js';

const words = texts.perLanguage('onAccount', ({ words: own, t }) => ({
  ...own,
  subject: (venue: string, reference: string) => t('onAccount.subject', { venue, reference }),
  reminder: (venue: string, reference: string) => t('onAccount.reminder', { venue, reference }),
  lead: (venue: string) => t('onAccount.lead', { venue }),
  overdue: (day: string) => t('onAccount.overdue', { day }),
  pay: (amount: string, day: string) => t('onAccount.pay', { amount, day }),
  until: (day: string) => t('onAccount.until', { day }),
  title: (reference: string) => t('onAccount.title', { reference }),
  footer: (venue: string) => t('onAccount.footer', { venue }),
}));

/** An order that a customer has on account. */
export interface OnAccountFacts {
  readonly language: Language;
  readonly tenant: MailTenant;
  readonly customer: { readonly name: string; readonly address: string; readonly taxNumber: string; readonly email: string };
  /** What it costs now. */
  readonly lines: readonly { readonly name: string; readonly quantity: number; readonly amount: string }[];
  readonly transfer: MailTransfer;
  /** What is open, by its last days. */
  readonly instalments: readonly { readonly dueOn: string; readonly open: string; readonly isOverdue: boolean }[];
}

/** Content id of the picture of the QR code. */
const codePicture = 'bank-transfer';

/** Asks a customer to pay what is open of an order, with account, reference and QR code, also as PDF. */
export function onAccountMessage(data: OnAccountFacts): MailMessage {
  const { language, tenant, customer, transfer, instalments } = data;
  const isOverdue = instalments[0]?.isOverdue === true;
  const [own, transferred] = [words[language], transferWords[language]];
  const day = transferDay(transfer.dueOn, language);
  const money = chargeWords(transfer.amount, transfer.currency, language);
  const content = mailFrame({
    language,
    tenant,
    subject: (isOverdue ? own.reminder : own.subject)(tenant.name, transfer.reference),
    title: own.title(transfer.reference),
    greeting: mailWords[language].hello(customer.name),
    blocks: [
      paragraph(isOverdue ? own.overdue(day) : own.lead(tenant.name)),
      note(isOverdue ? `${transferred.amount}: ${money}` : own.pay(money, day)),
      facts(transferRows(transfer, language)),
      instalments.length > 1 ? facts(partRows(data)) : noBlock,
      picture(codePicture, transferred.picture, 240),
      paragraph(own.after),
    ],
    footer: own.footer(tenant.name),
  });
  const files = [
    {
      filename: `${codePicture}.png`,
      contentType: 'image/png',
      content: { kind: 'qr-picture', code: transfer.epc } as const,
      contentId: codePicture,
    },
    { filename: transferred.file(transfer.reference.replaceAll(' ', '-')), contentType: 'application/pdf', content: drawing(data) },
  ];
  return venueMessage(tenant, { to: customer.email, toName: customer.name }, content, files);
}

/** What is open of each instalment. */
const partRows = ({ language, transfer, instalments }: OnAccountFacts): (readonly [string, string])[] =>
  instalments.map(({ dueOn, open }) => [
    words[language].until(transferDay(dueOn, language)),
    chargeWords(open, transfer.currency, language),
  ]);

/** The same as PDF, with what was bought. */
function drawing(data: OnAccountFacts): ReceiptDrawing {
  const { language, tenant, customer, lines, transfer, instalments } = data;
  const [own, transferred, { receipt, total }] = [words[language], transferWords[language], mailWords[language]];
  const title = own.title(transfer.reference);
  const money = (amount: string): string => chargeWords(amount, transfer.currency, language);
  const buyer = [customer.name, customer.address.replaceAll(/\s*\n\s*/g, ', '), customer.taxNumber].filter(Boolean).join(', ');
  return {
    kind: 'receipt',
    about: { language, title, author: tenant.name, subject: transfer.reference },
    receipt: {
      venue: tenant.name,
      address: contactLines(tenant),
      title,
      facts: [[receipt.buyer, buyer], ...transferRows(transfer, language)],
      lines: lines.map(({ name, quantity, amount }) => ({ label: `${quantity} × ${name}`, amount: money(amount) })),
      sums: [
        { label: total, amount: money(sumOf(lines.map(({ amount }) => ({ amount })))) },
        ...(instalments.length > 1 ? partRows(data).map(([label, amount]) => ({ label, amount })) : []),
        { label: own.open, amount: money(transfer.amount), isStrong: true },
      ],
      code: { content: transfer.epc, picture: transferred.picture, caption: transferred.scan },
    },
    logo: tenant.logo,
  };
}
