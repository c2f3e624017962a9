import { checkboxHtml, inputHtml, pageFrame, personalReply, summaryHtml } from '#page-kit';
import { accountLinkMinutes, type ErasureObstacle } from '#holders';
import { MailsService } from '#tickets';
import { reply, type Reply } from '#http';
import { currentLanguage, escapeHtml } from '#kernel';
import { PublicEventsService } from '#pages';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { orderWords } from '../order/order.words.js';
import { formAgainHtml } from '../order/send-again.html.js';
import { mailedStepHtml, stepHtml } from '../order/step.html.js';
import { bookingsHtml, cardsHtml, membershipsHtml, type ShownAccount } from './account.html.js';
import { accountWords } from './account.words.js';

interface Asked {
  readonly typed?: string;
  /** Own path to which the visitor returns. */
  readonly next?: string | undefined;
  readonly fault?: string;
  readonly status?: number;
}

interface Erasure {
  readonly email: string;
  readonly obstacle: ErasureObstacle | undefined;
  readonly hasCards: boolean;
  /** The box was not ticked. */
  readonly isUnsure?: boolean;
  readonly status?: number;
}

/** The pages of an account. Personal, not cached. */
@Injectable()
export class AccountPagesService {
  constructor(
    private readonly events: PublicEventsService,
    private readonly mails: MailsService,
  ) {}

  /** The form that asks for a link. */
  ask({ typed = '', next, fault, status = 200 }: Asked = {}): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = accountWords[language];
    const faults = new Map(fault === undefined ? [] : [['email', fault] as const]);
    const field = { name: 'email', label: words.email, hint: words.emailHint, fault };
    const input = inputHtml(field, { type: 'email', value: typed.slice(0, 254), required: true, maxlength: 254, autocomplete: 'email' });
    const returning = next === undefined ? '' : `<input type="hidden" name="next" value="${escapeHtml(next)}">\n`;
    const form = `<p>${escapeHtml(words.ask)}</p>
${summaryHtml(orderWords[language].faults, faults)}<form class="sheet order" method="post" action="/account" novalidate>
${returning}${input}
<p class="closing"><button class="button">${escapeHtml(words.send)}</button></p>
</form>`;
    const back = next?.startsWith('/event/') ? { path: next, label: orderWords[language].backToEvent } : undefined;
    return this.answer(words.title, form, { status, back });
  }

  /** The page after the form, the same for every address. */
  sent(email: string): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = accountWords[language];
    const said = { title: words.sent, text: words.sentText(email, accountLinkMinutes), kept: words.kept };
    return this.answer(words.title, mailedStepHtml(this.mails.deliver, said, formAgainHtml('/account')));
  }

  /** The page behind the link in the mail. */
  open(email: string, path: string): Promise<Reply<string>> {
    const words = accountWords[currentLanguage()];
    const button = `<button class="button">${escapeHtml(words.open)}</button>`;
    const form = `<form class="order" method="post" action="${escapeHtml(path)}">${button}</form>`;
    return this.answer(words.title, stepHtml(words.openTitle, [words.openText(email)], { html: [form] }));
  }

  /** The page of a link that was used, or whose time has ended. */
  gone(): Promise<Reply<string>> {
    const words = accountWords[currentLanguage()];
    const again = `<p><a class="button" href="/account">${escapeHtml(words.again)}</a></p>`;
    return this.answer(words.title, stepHtml(words.goneTitle, [words.goneText(accountLinkMinutes)], { html: [again] }), { status: 410 });
  }

  account(shown: ShownAccount): Promise<Reply<string>> {
    const words = accountWords[currentLanguage()];
    const { name } = currentTenant();
    const signOut = `<form class="order" method="post" action="/account/sign-out">
<button class="button quiet">${escapeHtml(words.signOut)}</button></form>`;
    const main = `${bookingsHtml(shown, 'coming')}
${membershipsHtml(shown)}${cardsHtml(shown)}${bookingsHtml(shown, 'past')}
<section><h2>${escapeHtml(words.data)}</h2>
<p class="hint">${escapeHtml(words.dataText(name))}</p>
<p class="ways"><a href="/account/data.json" download>${escapeHtml(words.download)}</a>
<a href="/account/erase">${escapeHtml(words.erase)}</a></p></section>
${signOut}`;
    return this.answer(words.title, main, { lead: words.signedInAs(shown.email) });
  }

  /** Says what is erased and what is kept, and asks once. */
  erase({ email, obstacle, hasCards, isUnsure = false, status = 200 }: Erasure): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = accountWords[language];
    const back = { path: '/account', label: words.back };
    const lead = words.signedInAs(email);
    const lines = [words.erased, words.keptSales, words.endsMemberships, ...(hasCards ? [words.keptCards] : []), words.irrevocable];
    const text = `<section class="prose">${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n')}</section>`;
    if (obstacle) {
      const reason = stepHtml(words.notNow, [obstacle === 'coming' ? words.notComing : words.notPayment]);
      return this.answer(words.erase, `${reason}\n${text}`, { status, back, lead });
    }
    const fault = isUnsure ? words.notSure : undefined;
    const faults = new Map(fault === undefined ? [] : [['sure', fault] as const]);
    const form = `${summaryHtml(orderWords[language].faults, faults)}${text}
<form class="sheet order" method="post" action="/account/erase" novalidate>
<div class="closing">${checkboxHtml({ name: 'sure', label: words.sure, fault }, false, { required: true })}
<p><button class="button">${escapeHtml(words.eraseDo)}</button></p></div>
</form>`;
    return this.answer(words.erase, form, { status, back, lead });
  }

  /** The page after the erasure was asked for. @param cookie header that ends the session */
  async erasing(cookie: string): Promise<Reply<string>> {
    const words = accountWords[currentLanguage()];
    const page = await this.answer(words.erase, stepHtml(words.erasing, [words.erasingText]));
    return reply(page.body, { ...page.head, headers: { ...page.head.headers, 'Set-Cookie': cookie } });
  }

  private async answer(
    title: string,
    body: string,
    more: { status?: number; lead?: string; back?: { readonly path: string; readonly label: string } | undefined } = {},
  ): Promise<Reply<string>> {
    const { status = 200, lead, back } = more;
    const tenant = currentTenant();
    const language = currentLanguage();
    const { path, label } = back ?? { path: '/', label: orderWords[language].backToAgenda };
    const main = `<p class="back"><a href="${path}">← ${escapeHtml(label)}</a></p>
<article class="holder order-page">
<header>
<h1>${escapeHtml(title)}</h1>
${lead === undefined ? '' : `<p class="lead">${escapeHtml(lead)}</p>\n`}</header>
${body}
</article>`;
    const venue = await this.events.venue();
    return personalReply(pageFrame({ tenant, language, title: `${title} · ${tenant.name}`, main, venue, hasScript: true }), { status });
  }
}
