import { currency, dayWords, timeWords } from '#kernel';
import { chargeWords, eventWhen, eventWhenLines } from '../facts/event-facts.js';
import { mailWords } from '../facts/mail.words.js';
import type { WaitingMailFacts } from '../facts/waiting-facts.js';
import { waitingMailWords } from '../facts/waiting.words.js';
import { address, button, facts, fineprint, note, paragraph, type MailBlock } from '../layout/mail-blocks.js';
import { whereRows } from './booking-blocks.js';
import { mailFrame, venueMessage } from '../layout/mail-frame.js';
import { fillOwnTexts, type PlaceholderValues } from '../layout/own-texts.js';
import type { MailMessage } from '../transport/mail-message.js';

/** The mail that asks a person who wants to wait for the confirmation, tells the state of an entry, or offers places. */
export function waitingMessage(data: WaitingMailFacts): MailMessage {
  const { language, tenant, event, email } = data;
  const words = waitingMailWords[language];
  const { subject, blocks } = contentOf(data);
  const values: PlaceholderValues<'waiting'> = { event: event.name, date: eventWhen(event, data), venue: tenant.name };
  const content = mailFrame({
    language,
    tenant,
    subject,
    title: event.name,
    subtitle: event.subtitle,
    greeting: mailWords[language].hello(''),
    blocks,
    own: fillOwnTexts(data.own, values),
    footer: words.footer(tenant.name),
  });
  return venueMessage(tenant, { to: email }, content);
}

function contentOf(data: WaitingMailFacts): { readonly subject: string; readonly blocks: readonly MailBlock[] } {
  const { language, tenant, event, state, quantity, until, url, message } = data;
  const words = waitingMailWords[language];
  const { link } = mailWords[language].confirm;
  if (message) {
    const blocks = [paragraph(message.words), entryBlock(data), button(words.status.button, url)];
    return { subject: message.subject, blocks };
  }
  if (state === 'unconfirmed') {
    const { subject, lead, button: label, after } = words.confirm;
    const blocks = [paragraph(lead(event.name)), entryBlock(data), button(label, url), paragraph(after)];
    return { subject: subject(event.name), blocks: [...blocks, address(link, url), fineprint(words.unasked)] };
  }
  if (state === 'waiting') {
    const { subject, lead, button: label } = words.status;
    const blocks = [paragraph(lead(event.name)), entryBlock(data), button(label, url), address(link, url)];
    return { subject: subject(event.name), blocks };
  }
  const { subject, lead, button: label, until: untilWords, after } = words.offer;
  const time = until && `${dayWords(until, language, tenant.timeZone)}, ${timeWords(until, language, tenant.timeZone)}`;
  return {
    subject: subject(event.name),
    blocks: [
      paragraph(lead(quantity, event.name)),
      ...(time ? [note(untilWords(time))] : []),
      entryBlock(data),
      button(label, url),
      paragraph(after),
      address(link, url),
    ],
  };
}

function entryBlock({ language, tenant, event, quantity, name, total, code }: WaitingMailFacts): MailBlock {
  const words = mailWords[language];
  const own = waitingMailWords[language];
  return facts([
    [words.when, eventWhenLines(event, { language, tenant })],
    ...whereRows(event.place, language),
    [own.places, `${quantity} × ${name}`],
    [words.total, chargeWords(total, currency, language)],
    ...(code ? [[own.code, own.codeStates[code.state](code.code)] as const] : []),
  ]);
}
