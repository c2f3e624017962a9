import { amountWords, pageDocument, personalReply, sitesOf } from '#page-kit';
import { MailsService } from '#tickets';
import { codeStateOf, type ShownEntry } from '#waiting';
import type { Reply } from '#http';
import { beforeWhen, currency, currentLanguage, databaseNow, moneyWords, sumOf, untilWhen } from '#kernel';
import { PublicEventsService, WaitingListForm, waitingFormWords, type EventPage, type WaitingForm } from '#pages';
import { currentTenant } from '#tenancy';
import { Injectable } from '@nestjs/common';
import type { ComponentChildren, VNode } from 'preact';
import { EventArticle } from '../frame/order-summary.js';
import { orderWords } from '../frame/order.words.js';
import { FormAgain } from '../order/send-again.js';
import { MailedStep, Step } from '../frame/step.js';
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

/** What surrounds the main part of a page. */
interface Around {
  readonly sites?: readonly string[];
  readonly side?: VNode | false;
}

/** Whether the person still waits or has booked. */
const isGoingOn = (status: ShownEntry['status']): boolean => ['unconfirmed', 'waiting', 'offered', 'booked'].includes(status);

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
    const main = (
      <section class="ticket ticket-whole">
        <div class="ticket-title line">
          <h2>{waitingFormWords[language].title}</h2>
        </div>
        <WaitingListForm form={form} hasPrivacy={page.venue.hasPrivacy === true} language={language} />
      </section>
    );
    return this.answer(page.event, main, status, { sites: sitesOf(page.venue) });
  }

  /** The page after the form when places are free again: nobody needs to wait. */
  free({ event, venue }: EventPage): Promise<Reply<string>> {
    const words = waitingWords[currentLanguage()];
    const main = (
      <Step title={words.freeTitle} lines={[words.freeText]}>
        <p>
          <a class="button" href={`/event/${event.slug}`}>
            {words.book}
          </a>
        </p>
      </Step>
    );
    return this.answer(event, main, 409, { sites: sitesOf(venue) });
  }

  /** The page after the form, the same whether the address is on the list or not. @param link path of the link of the mail */
  sent({ event, venue }: EventPage, email: string, link: string | undefined): Promise<Reply<string>> {
    const words = waitingWords[currentLanguage()];
    const main = (
      <MailedStep
        isSent={this.mails.deliver}
        said={{ title: words.sent, text: words.sentText(email), kept: words.kept }}
        mailLink={this.mails.showsSignInLinks ? link : undefined}
      >
        <FormAgain path={`/event/${event.slug}`} />
      </MailedStep>
    );
    return this.answer(event, main, 200, { sites: sitesOf(venue) });
  }

  /** The page of an entry: what to do next. */
  entry(entry: ShownEntry, { path, fault, acceptsTerms = false }: Shown): Promise<Reply<string>> {
    const language = currentLanguage();
    const words = waitingWords[language];
    const { status, quantity, offeredUntil, unpaidUntil, unpaidAmount } = entry;
    const say = (title: string, lines: readonly string[], buttons?: ComponentChildren): Promise<Reply<string>> => {
      const main = (
        <Step title={title} lines={lines} fault={fault} isGood={status === 'offered' && buttons !== undefined}>
          {buttons}
        </Step>
      );
      const side = isGoingOn(status) && <Places entry={entry} />;
      return this.answer(entry.event, main, fault === undefined ? 200 : 409, { side });
    };
    if (status === 'unconfirmed')
      return say(words.confirmTitle, [words.confirmText], <ActionForm path={path} action="confirm" label={words.confirm} />);
    const leave = <ActionForm path={path} action="leave" label={words.leave} />;
    if (status === 'waiting') return say(words.waitingTitle, [words.waitingText], leave);
    if (status === 'offered' && offeredUntil !== null && offeredUntil > databaseNow()) {
      const lines = [words.offeredText(quantity), words.offeredUntil(beforeWhen(offeredUntil, language, currentTenant().timeZone))];
      const buttons = (
        <>
          {acceptsTerms && <TermsLink />}
          <ActionForm path={path} action="book" label={words.book} />
          {leave}
        </>
      );
      return say(words.offeredTitle, lines, buttons);
    }
    if (status === 'booked' && unpaidUntil !== null && unpaidUntil > databaseNow()) {
      const { payTitle, payText, pay } = orderWords[language];
      const label = pay(moneyWords(unpaidAmount ?? '0', currency, language));
      const lines = [payText(untilWhen(unpaidUntil, language, currentTenant().timeZone), quantity)];
      return say(payTitle, lines, <ActionForm path={path} action="book" label={label} />);
    }
    if (status === 'expired' || status === 'offered' || unpaidUntil !== null) return say(words.expiredTitle, [words.expiredText]);
    if (status === 'booked') return say(words.bookedTitle, [words.bookedText]);
    return status === 'over' ? say(words.overTitle, [words.overText]) : say(words.leftTitle, [words.leftText]);
  }

  /** @param sites that may show the page in a frame: only those that follow the form of the event's page @param side stands beside it */
  private async answer(event: ShownEvent, body: VNode, status: number, { sites = [], side }: Around = {}): Promise<Reply<string>> {
    const tenant = currentTenant();
    const language = currentLanguage();
    const { kind } = waitingWords[language];
    const main = (
      <EventArticle event={event} timeZone={tenant.timeZone} kind={kind} side={side}>
        {body}
      </EventArticle>
    );
    const venue = await this.events.venue();
    const title = `${kind}: ${event.name} · ${tenant.name}`;
    return personalReply(pageDocument({ tenant, language, title, main, venue, hasScript: true, sheet: 'order' }), {
      status,
      pays: true,
      sites,
    });
  }
}

interface ActionProps {
  readonly path: string;
  readonly action: 'confirm' | 'book' | 'leave';
  readonly label: string;
}

function ActionForm({ path, action, label }: ActionProps): VNode {
  return (
    <form class="order" method="post" action={`${path}/${action}`}>
      <button class={action === 'leave' ? 'button other' : 'button'}>{label}</button>
    </form>
  );
}

function TermsLink(): VNode {
  return (
    <p>
      <a href="/terms" target="_blank" rel="noopener">
        {waitingWords[currentLanguage()].terms}
      </a>
    </p>
  );
}

/** What the person waits for. */
function Places({ entry }: { readonly entry: ShownEntry }): VNode {
  const { quantity, product, price, amount, freeAmount, code, heldAmount } = entry;
  const language = currentLanguage();
  const words = waitingWords[language];
  const total = heldAmount ?? (freeAmount ? null : sumOf([{ amount, quantity }]));
  const name = product === price ? price : `${product} · ${price}`;
  const state = codeStateOf(entry);
  return (
    <section class="ticket ticket-whole">
      <div class="ticket-title line">
        <h2>{words.places}</h2>
      </div>
      <ul class="leaders number">
        <li>
          <span>
            {quantity} × <bdi>{name}</bdi>
          </span>
          {total !== null && <span>{amountWords(total as `${number}`, language)}</span>}
        </li>
      </ul>
      {code !== null && state && <p class="hint">{{ kept: words.codeKept, used: words.codeUsed, gone: words.codeGone }[state](code)}</p>}
    </section>
  );
}
