import { Inject, Injectable } from '@nestjs/common';
import { eventIsOverSql } from '#catalogue';
import {
  currency,
  databaseNow,
  dayAndTimeWords,
  dayWords,
  isoInZone,
  startOfDayInZone,
  drawDocument,
  localeOf,
  moneyWords,
  SETTINGS,
  type Language,
  type Settings,
} from '#kernel';
import { cardsSheet, type SheetCard } from '#messages';
import { currentTenant, tenantUrl, TenantDb } from '#tenancy';
import { Code } from '#tickets';
import { In } from 'typeorm';
import { texts } from '../locales/notices.texts.js';

/** Maximum cards in one document; limits the processor time of one request. */
export const mostCards = 400;

const words = texts.perLanguage('codeCards', ({ words: own, t }) => ({
  ...own,
  price: (amount: string) => t('codeCards.price', { amount }),
  amount: (amount: string) => t('codeCards.amount', { amount }),
  percent: (percent: string) => t('codeCards.percent', { percent }),
  from: (time: string) => t('codeCards.from', { time }),
  until: (time: string) => t('codeCards.until', { time }),
  tickets: (count: number) => t('codeCards.tickets', { count }),
  enter: (address: string) => t('codeCards.enter', { address }),
  picture: (code: string) => t('codeCards.picture', { code }),
}));

/** A code with the only coming event that it can be used for, if there is only one. */
type CardCode = Code & { readonly event: { readonly slug: string; readonly name: string } | undefined };

/** Discount codes as cards to print and hand out. */
@Injectable()
export class CodeCardsService {
  constructor(
    private readonly db: TenantDb,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Cards of codes on A4 pages for cutting, in the order of `ids`, in the language of the venue. Codes that are switched off or over are
   * left out.
   * @param ids at most `mostCards`
   * @returns undefined when none is left
   */
  async sheetOf(ids: readonly string[]): Promise<{ readonly name: string; readonly content: Buffer } | undefined> {
    const codes = await this.usable(ids);
    if (codes.length === 0) return undefined;
    const { name: author, language } = currentTenant();
    const tags = new Set(codes.map(({ tag }) => tag));
    const [tag] = tags.size === 1 ? tags : [];
    const title = tag ?? words[language].title;
    const head = { language, title, author };
    const cards = codes.map((code) => this.cardOf(code, language));
    return { name: title, content: await drawDocument('staff', 'code-cards', [head, cards], () => cardsSheet(head, cards)) };
  }

  private usable(ids: readonly string[]): Promise<CardCode[]> {
    return this.db.transaction(async (tx) => {
      const codes = await tx.find(Code, { where: { id: In([...ids]), disabled: false } });
      const events = await tx.query<{ id: string; slug: string; name: string }[]>(
        `select code.id, min(event.slug) as slug, min(event.name) as name from code join event on event.published
           and not ${eventIsOverSql('event', this.settings)} and (code.event_ids = '{}' or event.id = any(code.event_ids))
         where code.id = any($1) and (code.product_ids = '{}' and code.price_ids = '{}' or exists (select from event_product sold
           left join price on price.product_id = sold.product_id where sold.event_id = event.id
             and (sold.product_id = any(code.product_ids) or price.id = any(code.price_ids))))
         group by code.id having count(*) = 1`,
        [ids],
      );
      const eventOf = new Map(events.map((event) => [event.id, event]));
      const places = new Map(ids.map((id, place) => [id, place]));
      return codes
        .filter(({ validUntil }) => validUntil === null || validUntil > databaseNow())
        .toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
        .map((code) => Object.assign(code, { event: eventOf.get(code.id) }));
    });
  }

  private cardOf(code: CardCode, language: Language): SheetCard {
    const own = words[language];
    const tenant = currentTenant();
    const { validFrom, validUntil, maxUses, maxPerPerson, event } = code;
    const home = tenantUrl(this.settings, tenant, '/');
    const most = Math.min(maxUses ?? Infinity, maxPerPerson ?? Infinity);
    return {
      venue: tenant.name,
      title: givenBy(code, language),
      facts: event?.name ?? '',
      details: [
        validFrom && own.from(momentOf(validFrom, 'start', language)),
        validUntil && own.until(momentOf(validUntil, 'end', language)),
      ]
        .filter(Boolean)
        .join(' · '),
      typed: code.code,
      where: own.enter(new URL(home).host),
      foot: Number.isFinite(most) ? own.tickets(most) : '',
      picture: own.picture(code.code),
      code: event ? tenantUrl(this.settings, tenant, `/event/${event.slug}?code=${encodeURIComponent(code.code)}`) : home,
    };
  }
}

/** A midnight is told as the day that begins, or ends, then. */
function momentOf(instant: Date, of: 'start' | 'end', language: Language): string {
  const { timeZone } = currentTenant();
  const isMidnight = startOfDayInZone(isoInZone(instant, timeZone).slice(0, 10), timeZone)?.getTime() === instant.getTime();
  if (!isMidnight) return dayAndTimeWords(instant, language, timeZone);
  return dayWords(new Date(instant.getTime() - (of === 'end' ? 1 : 0)), language, timeZone);
}

function givenBy({ effect, value }: Code, language: Language): string {
  const own = words[language];
  if (effect === 'none' || value === null) return own.opens;
  if (effect === 'percent') return own.percent(writtenPercent(value, language));
  return own[effect](moneyWords(value, currency, language));
}

const writtenPercent = (value: string, language: Language): string =>
  new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 2 }).format(value as `${number}`);
