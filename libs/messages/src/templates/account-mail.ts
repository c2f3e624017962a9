import type { AccountMailFacts } from '../facts/account-facts.js';
import { accountMailWords } from '../facts/account.words.js';
import { mailWords } from '../facts/mail.words.js';
import { address, button, fineprint, paragraph } from '../layout/mail-blocks.js';
import { mailFrame, venueMessage } from '../layout/mail-frame.js';
import { fillOwnTexts } from '../layout/own-texts.js';
import type { MailMessage } from '../transport/mail-message.js';
import { duration } from './templates.js';

/** The mail with the link that opens a person's account. */
export function accountMessage({ language, tenant, email, minutes, url, own }: AccountMailFacts): MailMessage {
  const words = accountMailWords[language];
  const { hello, confirm } = mailWords[language];
  const subject = words.subject(tenant.name);
  const content = mailFrame({
    language,
    tenant,
    subject,
    title: words.title,
    greeting: hello(''),
    blocks: [
      paragraph(words.lead(tenant.name)),
      button(words.button, url),
      paragraph(words.until(duration(minutes, language))),
      address(confirm.link, url),
      fineprint(words.unasked),
    ],
    own: fillOwnTexts(own, { venue: tenant.name }),
    footer: words.footer(tenant.name),
  });
  return venueMessage(tenant, { to: email }, content);
}
