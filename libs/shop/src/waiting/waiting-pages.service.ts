import { amountWords, pageFrame, personalReply, sitesOf, whenHtml } from '#page-kit';
import { MailsService } from '#tickets';
import type { ShownEntry } from '#waiting';
import type { Reply } from '#http';
import { beforeWhen, currency, currentLanguage, databaseNow, escapeHtml, moneyWords, sumOf, untilWhen } from '#kernel';
import { PublicEventsService, waitingFormHtml, waitingFormWords, type EventPage, type WaitingForm } from '#pages';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { orderWords } from '../order/order.words.js';
import { formAgainHtml } from '../order/send-again.html.js';
import { mailedStepHtml, stepHtml } from '../order/step.html.js';
import { waitingWords } from './waiting.words.js';

type ShownEvent = Pick<EventPage['event'], 'name' | 'slug' | 'startsAt' | 'endsAt'>;

/** What the page of an entry shows beside it. */
interface Shown {
  readonly path: string;
  /** Why the last attempt to book was refused. */
  readonly fault?: string;
  /** Booking accepts the terms of the venue. */
  readonly acceptsTerms?: boolean;
}

/** The pages of waiting lists. Personal, not cached. */
@Injectable()
export class WaitingPagesService {
  constructor(
    private readonly events: PublicEventsService,
    private readonly mails: MailsService,
  ) {}

  /** The form again, with its faults. */
  form(page: EventPage, form: WaitingForm, status: number): Promise<Reply<string>> {
    const language = currentLanguage();
    const main = `<section><h2>${escapeHtml(waitingFormWords[language].title)}</h2>\n${waitingFormHtml(form, language)}</section>`;
    return this.answer(page.event, main, status, sitesOf(page.venue));
  }

  /** The page after the form when places are free again: nobody needs to wait. */
  free(page: EventPage): Promise<Reply<string>> {
    const words = waitingWords[currentLanguage()];
    const link = `<p><a class="button" href="/event/${escapeHtml(page.event.slug)}">${escapeHtml(words.book)}</a></p>`;
    return this.answer(page.event, stepHtml(words.freeTitle, [words.freeText], { html: [link] }), 409, sitesOf(page.venue));
  }

  /** The page after the form, the same whether the address is on the list or not. */
  sent(page: EventPage, email: string): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = waitingWords[language];
    const said = { title: words.sent, text: words.sentText(email), kept: words.kept };
    const html = mailedStepHtml(this.mails.deliver, said, formAgainHtml(`/event/${page.event.slug}`));
    return this.answer(page.event, html, 200, sitesOf(page.venue));
  }

  /** The page of an entry: what to do next. */
  entry(entry: ShownEntry, { path, fault, acceptsTerms = false }: Shown): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = waitingWords[language];
    const { status, quantity, offeredUntil, unpaidUntil, unpaidAmount } = entry;
    const say = (title: string, lines: readonly string[], ...buttons: string[]): Promise<Reply<string>> =>
      this.answer(
        entry.event,
        `${stepHtml(title, lines, { fault, html: buttons })}\n${placesHtml(entry)}`,
        fault === undefined ? 200 : 409,
      );
    if (status === 'unconfirmed') return say(words.confirmTitle, [words.confirmText], buttonHtml(path, 'confirm', words.confirm));
    const leave = buttonHtml(path, 'leave', words.leave, ' quiet');
    if (status === 'waiting') return say(words.waitingTitle, [words.waitingText], leave);
    if (status === 'offered' && offeredUntil !== null && offeredUntil > databaseNow()) {
      const lines = [words.offeredText(quantity), words.offeredUntil(beforeWhen(offeredUntil, language, currentTenant().timeZone))];
      const terms = acceptsTerms ? [`<p><a href="/terms" target="_blank" rel="noopener">${escapeHtml(words.terms)}</a></p>`] : [];
      return say(words.offeredTitle, lines, ...terms, buttonHtml(path, 'book', words.book), leave);
    }
    if (status === 'booked' && unpaidUntil !== null && unpaidUntil > databaseNow()) {
      const { payTitle, payText, pay } = orderWords[language];
      const label = pay(moneyWords(unpaidAmount ?? '0', currency, language));
      return say(payTitle, [payText(untilWhen(unpaidUntil, language, currentTenant().timeZone))], buttonHtml(path, 'book', label));
    }
    if (status === 'expired' || status === 'offered' || unpaidUntil !== null) return say(words.expiredTitle, [words.expiredText]);
    if (status === 'booked') return say(words.bookedTitle, [words.bookedText]);
    return status === 'over' ? say(words.overTitle, [words.overText]) : say(words.leftTitle, [words.leftText]);
  }

  /** @param sites that may show the page in a frame: only those that follow the form of the event's page */
  private async answer(event: ShownEvent, body: string, status: number, sites: readonly string[] = []): Promise<Reply<string>> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const words = waitingWords[language];
    const main = `<p class="back"><a href="/event/${escapeHtml(event.slug)}">← ${escapeHtml(orderWords[language].backToEvent)}</a></p>
<article class="holder order-page">
<header>
<p class="kind">${escapeHtml(words.kind)}</p>
<h1 dir="auto"${event.name.length > 90 ? ' class="long"' : ''}>${escapeHtml(event.name)}</h1>
<p>${whenHtml(event, language, tenant.timeZone)}</p>
</header>
${body}
</article>`;
    const venue = await this.events.venue();
    const title = `${words.kind}: ${event.name} · ${tenant.name}`;
    return personalReply(pageFrame({ tenant, language, title, main, venue, hasScript: true }), { status, pays: true, sites });
  }
}

function buttonHtml(path: string, action: 'confirm' | 'book' | 'leave', label: string, look = ''): string {
  const button = `<button class="button${look}">${escapeHtml(label)}</button>`;
  return `<form class="order" method="post" action="${escapeHtml(path)}/${action}">${button}</form>`;
}

function placesHtml({ quantity, product, price, amount, freeAmount }: ShownEntry): string {
  const language = currentLanguage();
  const words = waitingWords[language];
  const name = product === price ? price : `${product} · ${price}`;
  const sum = amountWords(sumOf([{ amount, quantity }]) as `${number}`, language);
  const shown = freeAmount ? '' : ` <span class="amount">${escapeHtml(sum)}</span>`;
  return `<section><h2>${escapeHtml(words.places)}</h2>
<ul class="prices"><li><span>${quantity} × <bdi>${escapeHtml(name)}</bdi></span>${shown}</li></ul></section>`;
}
