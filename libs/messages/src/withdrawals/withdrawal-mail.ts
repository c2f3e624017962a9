import { dayAndTimeWords, dayWords, type Language } from '#kernel';
import type { MailLine, Refund } from '../facts/mail-facts.js';
import { mailWords } from '../facts/mail.words.js';
import { button, facts, note, paragraph } from '../layout/mail-blocks.js';
import { mailFrame, venueMessage, type MailTenant } from '../layout/mail-frame.js';
import { texts } from '../locales/messages.texts.js';
import { bill } from '../templates/booking-blocks.js';
import { billLines, refundBlocks } from '../templates/templates.js';
import type { MailMessage } from '../transport/mail-message.js';

const withdrawalWords = texts.perLanguage('withdrawal', ({ words, t }) => ({
  ...words,
  subject: (venue: string) => t('withdrawal.subject', { venue }),
  lead: (venue: string) => t('withdrawal.lead', { venue }),
  time: (time: string, zone: string) => t('withdrawal.time', { time, zone }),
  bringBack: (day: string) => t('withdrawal.bringBack', { day }),
}));

/** Data of the mail that confirms a withdrawal. */
export interface WithdrawalFacts {
  readonly language: Language;
  readonly tenant: MailTenant;
  /** As stated: the name, and where the confirmation goes. */
  readonly name: string;
  readonly email: string;
  readonly at: Date;
  /** What the contract is about: the event or the membership. */
  readonly contract: string;
  readonly reference: string;
  readonly lines: readonly MailLine[];
  readonly refunds: readonly Refund[];
  readonly currency: string;
  /** Until when what was handed out is to be sent or brought back; absent: nothing was. */
  readonly bringBackBy?: Date | undefined;
  /** Of the page of the contract; absent: it is not shown to this recipient. */
  readonly holderUrl?: string | undefined;
}

/** The receipt of a withdrawal: the statement, with date and time, and what becomes of the money. */
export function withdrawalMessage(data: WithdrawalFacts): MailMessage {
  const { language, tenant, name, email, at, contract, reference, lines, refunds, currency, bringBackBy, holderUrl } = data;
  const words = withdrawalWords[language];
  const { hello, membership, reference: referenceWord } = mailWords[language];
  const about = { language, reservation: { currency } };
  const time = words.time(dayAndTimeWords(at, language, tenant.timeZone), tenant.timeZone);
  const content = mailFrame({
    language,
    tenant,
    subject: words.subject(tenant.name),
    title: words.title,
    greeting: hello(name),
    blocks: [
      paragraph(words.lead(tenant.name)),
      facts([
        [words.at, time],
        [words.name, name],
        [words.contract, contract],
        [referenceWord, reference],
        [words.told, email],
      ]),
      bill(words.lines, billLines(lines, about)),
      ...(refunds.length > 0 ? refundBlocks({ ...about, refunds }) : []),
      ...(bringBackBy ? [note(words.bringBack(dayWords(bringBackBy, language, tenant.timeZone)))] : []),
      ...(holderUrl ? [button(words.page, holderUrl)] : []),
    ],
    footer: membership.footer(tenant.name),
  });
  return venueMessage(tenant, { to: email, toName: name }, content);
}
