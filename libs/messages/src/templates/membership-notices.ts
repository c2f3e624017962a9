import { currency, dayWords, moneyWords } from '#kernel';
import { mailWords } from '../facts/mail.words.js';
import type { MembershipNoticeFacts, RenewalFacts, RenewalFailedFacts } from '../facts/membership-facts.js';
import { membershipNoticeWords } from '../facts/membership.words.js';
import { toldInNotice } from '../facts/typed-texts.js';
import { address, button, facts, fineprint, paragraph, type MailBlock } from '../layout/mail-blocks.js';
import { mailFrame, venueMessage } from '../layout/mail-frame.js';
import { fillOwnTexts, type PlaceholderValues } from '../layout/own-texts.js';
import type { MailMessage } from '../transport/mail-message.js';
import { duration } from './templates.js';

/** The mail that asks a new member of a free membership to confirm the address. */
export function confirmMembershipMessage(data: MembershipNoticeFacts): MailMessage {
  const { language, tenant, minutes, url } = data;
  const { confirm, unasked } = membershipNoticeWords[language];
  return message({ ...data, isConfirmed: false }, confirm.subject(tenant.name), [
    paragraph(confirm.lead(tenant.name)),
    button(confirm.button, url),
    paragraph(confirm.until(duration(minutes, language))),
    address(mailWords[language].confirm.link, url),
    fineprint(unasked),
  ]);
}

/** The mail that reminds a member of the end, with the link to renew. */
export function membershipReminderMessage(data: MembershipNoticeFacts): MailMessage {
  const { language, tenant, url } = data;
  const { reminder } = membershipNoticeWords[language];
  const words = mailWords[language].membership;
  const day = lastDay(data);
  return message(data, reminder.subject(day), [
    paragraph(reminder.lead(tenant.name, day)),
    facts([
      [words.kind, data.name],
      [words.until, day],
    ]),
    button(reminder.button, url),
    paragraph(reminder.after),
    address(mailWords[language].confirm.link, url),
  ]);
}

/** The mail that says when a membership is renewed by itself and what is charged, with the link to stop it. */
export function renewalMessage(data: RenewalFacts): MailMessage {
  const { language, tenant, url, dueAt, amount } = data;
  const { renewal } = membershipNoticeWords[language];
  const words = mailWords[language].membership;
  const [day, money] = [dayWords(dueAt, language, tenant.timeZone), moneyWords(amount, currency, language)];
  return message(data, renewal.subject(day), [
    paragraph(renewal.lead(tenant.name, day, money)),
    facts([
      [words.kind, data.name],
      [words.until, lastDay(data)],
      [words.paid, money],
    ]),
    paragraph(renewal.after),
    button(renewal.button, url),
    address(mailWords[language].confirm.link, url),
  ]);
}

/** The mail that says that the charge was refused, with the link to pay. */
export function renewalFailedMessage(data: RenewalFailedFacts): MailMessage {
  const { language, tenant, url, againAt } = data;
  const { failed, reminder } = membershipNoticeWords[language];
  const words = mailWords[language].membership;
  const day = lastDay(data);
  return message(data, failed.subject, [
    paragraph(failed.lead(tenant.name)),
    facts([
      [words.kind, data.name],
      [words.until, day],
    ]),
    button(reminder.button, url),
    paragraph(againAt ? failed.again(dayWords(againAt, language, tenant.timeZone)) : failed.last(day)),
    address(mailWords[language].confirm.link, url),
  ]);
}

/** The last day of the membership. An end at midnight is shown as the day before. */
function lastDay({ language, tenant, validUntil }: MembershipNoticeFacts): string {
  if (validUntil === null) return mailWords[language].membership.unlimited;
  return dayWords(new Date(validUntil.getTime() - 1), language, tenant.timeZone);
}

function message(data: MembershipNoticeFacts, subject: string, blocks: readonly MailBlock[]): MailMessage {
  const { language, tenant, email, firstName, lastName, name } = toldInNotice(data);
  const { hello, membership } = mailWords[language];
  const values: PlaceholderValues<'membership'> = {
    first_name: firstName,
    last_name: lastName,
    membership: name,
    date: lastDay(data),
    venue: tenant.name,
  };
  const content = mailFrame({
    language,
    tenant,
    subject,
    title: name,
    greeting: hello(firstName),
    blocks,
    own: fillOwnTexts(data.own, values),
    footer: membership.footer(tenant.name),
  });
  return venueMessage(tenant, { to: email, toName: [firstName, lastName].filter(Boolean).join(' ') }, content);
}
