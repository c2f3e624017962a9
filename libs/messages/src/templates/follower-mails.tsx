import { eventWhen, placeLines } from '../facts/event-facts.js';
import type { FollowerMailFacts, NewDatesFacts, SaleMailFacts } from '../facts/follower-facts.js';
import { followerMailWords } from '../facts/follower.words.js';
import { mailWords } from '../facts/mail.words.js';
import type { MailEvent } from '../facts/mail-facts.js';
import { address, button, fineprint, linkAlone, linkedLines, paragraph, type MailBlock } from '../layout/mail-blocks.js';
import { mailFrame, venueMessage } from '../layout/mail-frame.js';
import { fillOwnTexts } from '../layout/own-texts.js';
import type { MailMessage } from '../transport/mail-message.js';

/** The mail that asks a person who wants to follow the venue for the confirmation. */
export function followConfirmMessage(data: FollowerMailFacts): MailMessage {
  const { language, tenant, url } = data;
  const { confirm } = followerMailWords[language];
  return message(data, { subject: confirm.subject(tenant.name), title: confirm.title, footer: confirm.footer(tenant.name) }, [
    paragraph(confirm.lead(tenant.name)),
    button(confirm.button, url),
    address(mailWords[language].confirm.link, url),
    fineprint(confirm.unasked),
  ]);
}

/** The mail that asks a person who wants to be told of the sale of an event for the confirmation. */
export function tellConfirmMessage(data: SaleMailFacts): MailMessage {
  const { language, tenant, event, url } = data;
  const { confirm, sale } = followerMailWords[language];
  return message(data, { subject: sale.confirmSubject(event.name), title: confirm.title, footer: sale.footer(tenant.name) }, [
    paragraph(sale.confirmLead(event.name)),
    eventLines(event, data),
    button(sale.confirmButton, url),
    address(mailWords[language].confirm.link, url),
    fineprint(confirm.unasked),
  ]);
}

/** The one mail that says that the sale of tickets for an event has begun. */
export function salesOpenMessage(data: SaleMailFacts): MailMessage {
  const { language, tenant, event } = data;
  const { sale } = followerMailWords[language];
  const head = { subject: sale.subject(event.name), title: event.name, footer: sale.footer(tenant.name) };
  return withUnsubscribe(data, head, [paragraph(sale.lead(event.name)), eventLines(event, data), button(sale.button, event.url)]);
}

/** The mail about new dates of the venue, which can be ended with one click. */
export function newDatesMessage(data: NewDatesFacts): MailMessage {
  const { language, tenant, events, more } = data;
  const words = followerMailWords[language];
  const count = events.length + more;
  const subject = words.newDates.subject(count, events[0]?.name ?? '', tenant.name);
  return withUnsubscribe(data, { subject, title: words.newDates.title, footer: words.footer(tenant.name) }, [
    paragraph(words.newDates.lead(count, tenant.name)),
    ...events.map((event) => eventLines(event, data)),
    ...(more > 0 ? [paragraph(words.newDates.more(more))] : []),
    button(words.newDates.button, tenant.url),
  ]);
}

/** A mail of a list: with a visible link that ends it, and with the headers by which mail programs end it (RFC 2369, RFC 8058). */
function withUnsubscribe(data: FollowerMailFacts, head: Head, blocks: readonly MailBlock[]): MailMessage {
  const { language, url } = data;
  const words = followerMailWords[language];
  const mail = message(data, head, [...blocks, linkAlone(words.leave, url)]);
  return { ...mail, headers: { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } };
}

/** Name, time and place of an event, with the link to its page. */
function eventLines(event: MailEvent, data: FollowerMailFacts): MailBlock {
  return linkedLines(event.name, event.url, [event.subtitle ?? '', eventWhen(event, data), placeLines(event.place).join(', ')]);
}

interface Head {
  readonly subject: string;
  readonly title: string;
  /** Why the recipient gets the mail. */
  readonly footer: string;
}

function message(data: FollowerMailFacts, head: Head, blocks: readonly MailBlock[]): MailMessage {
  const { language, tenant, email, own } = data;
  const content = mailFrame({
    language,
    tenant,
    ...head,
    greeting: mailWords[language].hello(''),
    blocks,
    own: fillOwnTexts(own, { venue: tenant.name }),
  });
  return venueMessage(tenant, { to: email }, content);
}
