import {
  EventNoticesService,
  ExampleMailsService,
  longestSubject,
  noticeAudiences,
  type NoticeAudience,
  type NoticeTexts,
  type SentNotice,
} from '#notices';
import { longestNote, MailsService } from '#tickets';
import { dayAndTimeWords, isUuid, languageFacts, languages, type Language } from '#kernel';
import type { FormField, FormReport, PanelAction, PanelRow } from '#panel-kit';
import { currentPanelRequest, formView, PanelFieldError, textOf } from '#panel-kit';
import { currentTenant, hasModule, TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { refusable } from '../forms/refusals.js';
import { messageWords } from './events.words.js';

@Injectable()
export class EventMessageServices {
  constructor(
    readonly db: TenantDb,
    readonly notices: EventNoticesService,
    readonly examples: ExampleMailsService,
    readonly mails: MailsService,
  ) {}
}

interface Priced {
  readonly id: string;
  readonly name: string;
}

/** The prices for which somebody has a ticket of an event, or waits. */
function pricesOf(db: TenantDb, eventId: string): Promise<Priced[]> {
  return db.transaction((tx) =>
    tx.query<Priced[]>(
      `select price.id, case when product.name = price.name then price.name else product.name || ' · ' || price.name end as name
       from price join product on product.id = price.product_id
       where exists (select 1 from ticket where ticket.event_id = $1 and ticket.price_id = price.id)
         or exists (select 1 from waiting_entry where waiting_entry.event_id = $1 and waiting_entry.price_id = price.id)
       order by 2, 1 limit 100`,
      [eventId],
    ),
  );
}

/** The form with which staff write to the guests of an event: who, in which languages, a test mail first, and what was sent before. */
export function messageAction(services: EventMessageServices): PanelAction {
  const { notices, mails } = services;
  return {
    icon: 'Mail',
    main: true,
    component: 'ActionForm',
    visible: ({ bookings }) => Number(bookings) > 0 && hasModule('ticketing'),
    view: async (eventId) => {
      const words = messageWords[currentPanelRequest().language];
      const counted = await Promise.all(
        noticeAudiences.map(async (audience) => ({ audience, ...(await notices.count({ eventId, audience, priceIds: null })) })),
      );
      const read = new Set<Language>([currentTenant().language, ...counted.flatMap((each) => each.languages)]);
      const prices = await pricesOf(services.db, eventId);
      const history = await notices.history(eventId);
      return formView({
        lead: [mails.deliver ? words.lead : words.noServer],
        reports: history.length > 0 ? [historyReport(history)] : [],
        fields: [
          {
            name: 'audience',
            kind: 'select',
            label: words.audience,
            value: 'holders',
            options: counted.map(({ audience, people }) => ({ value: audience, label: `${words.audiences[audience]} (${people})` })),
          },
          ...(prices.length > 1 ? [pricesField(prices, words.prices, words.pricesHelp)] : []),
          // The languages of the guests, the venue's first.
          ...[...read].flatMap((language) => textFields(language, words)),
          {
            name: 'mode',
            kind: 'choice',
            label: words.mode,
            value: 'test',
            options: [
              { value: 'test', label: words.test(currentPanelRequest().user?.email ?? '') },
              { value: 'send', label: words.send },
            ],
          },
        ],
        submit: words.submit,
      });
    },
    act: async (eventId, values) => {
      const audience = noticeAudiences.find((one) => one === values['audience']);
      if (!audience) throw new PanelFieldError({ audience: { message: 'fieldChoice' } });
      const chosen = [values['priceIds'] ?? []].flat().filter(isUuid);
      const message = { eventId, audience, priceIds: chosen.length > 0 ? chosen : null, texts: textsIn(values) };
      if (values['mode'] === 'send') {
        await refusable(() => notices.write(message));
        return { view: null, message: mails.deliver ? 'messageSent' : 'messageKept' };
      }
      return { view: { report: await testReport(services, message) } };
    },
  };
}

function pricesField(prices: readonly Priced[], label: string, help: string): FormField {
  return { name: 'priceIds', kind: 'checks', label, help, value: [], options: prices.map(({ id, name }) => ({ value: id, label: name })) };
}

function textFields(language: Language, words: (typeof messageWords)['en']): FormField[] {
  const { name } = languageFacts[language];
  const required = language === currentTenant().language;
  const help = required ? words.mainHelp : words.otherHelp;
  return [
    { name: `subject_${language}`, kind: 'text', label: words.subject(name), required, longest: longestSubject },
    { name: `words_${language}`, kind: 'textarea', label: words.text(name), help, required, longest: longestNote },
  ];
}

function textsIn(values: PanelRow): NoticeTexts {
  return Object.fromEntries(
    languages.map((language) => [language, { subject: textOf(values[`subject_${language}`]), words: textOf(values[`words_${language}`]) }]),
  );
}

/** Sends the test mail, and shows the mail as text with the number of people who would get it. */
async function testReport(
  { notices, examples }: EventMessageServices,
  message: Parameters<EventNoticesService['write']>[0] & { readonly audience: NoticeAudience },
): Promise<FormReport> {
  const { language, user } = currentPanelRequest();
  const words = messageWords[language];
  const { language: main } = currentTenant();
  const to = user?.email ?? '';
  if (!(await refusable(() => notices.sendTest(message, main, to)))) throw new PanelFieldError({}, words.tooManyTests);
  const { people } = await notices.count(message);
  const shown = await examples.message(message.eventId, message.texts, main, to);
  return { title: words.preview(people), tone: 'info', facts: [shown?.subject ?? ''], text: (shown?.text ?? '').trim() };
}

function historyReport(history: readonly SentNotice[]): FormReport {
  const { language } = currentPanelRequest();
  const { language: main, timeZone } = currentTenant();
  const words = messageWords[language];
  const rows = history.map(({ kind, audience, texts, createdAt, written, sent, finishedAt }) => [
    dayAndTimeWords(createdAt, language, timeZone),
    words.audiences[audience],
    kind === 'changed' || kind === 'reminder' ? words[kind] : ((texts?.[main] ?? Object.values(texts ?? {})[0])?.subject ?? ''),
    `${sent} / ${written}${finishedAt === null ? ' …' : ''}`,
  ]);
  return { title: words.history, tone: 'info', facts: [], table: { title: words.history, head: words.historyHead, rows } };
}
