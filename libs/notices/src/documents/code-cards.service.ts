import { Inject, Injectable } from '@nestjs/common';
import { eventIsOverSql, isKindSql, isShownSql } from '#catalogue';
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
  membershipPrice: (amount: string) => t('codeCards.membershipPrice', { amount }),
  membershipAmount: (amount: string) => t('codeCards.membershipAmount', { amount }),
  tickets: (count: number) => t('codeCards.tickets', { count }),
  memberships: (count: number) => t('codeCards.memberships', { count }),
  join: (address: string) => t('codeCards.join', { address }),
  enter: (address: string) => t('codeCards.enter', { address }),
  picture: (code: string) => t('codeCards.picture', { code }),
}));

/** Where a code is used, if there is only one place. */
interface UsedAt {
  /** Of an event or a membership. */
  readonly name: string;
  /** Path of the page that applies the code. */
  readonly path: string;
}
type CardCode = Code & { readonly usedAt: UsedAt | undefined };

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
      // The last row of a code counts: an event rather than memberships.
      const used = await tx.query<({ id: string } & UsedAt)[]>(
        `${membershipsSql} union all select code.id, min(event.name), '/event/' || min(event.slug), 1
           from code join event on event.published
             and not ${eventIsOverSql('event', this.settings)} and (code.event_ids = '{}' or event.id = any(code.event_ids))
           where code.id = any($1) and code.applies_to <> 'memberships'
             and (code.product_ids = '{}' and code.price_ids = '{}' or exists (select from event_product sold
               left join price on price.product_id = sold.product_id where sold.event_id = event.id
                 and (sold.product_id = any(code.product_ids) or price.id = any(code.price_ids))))
           group by code.id having count(*) = 1 order by place`,
        [ids],
      );
      const usedAt = new Map(used.map(({ id, name, path }) => [id, { name, path }]));
      const places = new Map(ids.map((id, place) => [id, place]));
      return codes
        .filter(({ validUntil }) => validUntil === null || validUntil > databaseNow())
        .toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
        .map((code) => Object.assign(code, { usedAt: usedAt.get(code.id) }));
    });
  }

  private cardOf(code: CardCode, language: Language): SheetCard {
    const own = words[language];
    const tenant = currentTenant();
    const { validFrom, validUntil, maxUses, maxPerPerson, usedAt } = code;
    const isForMembers = code.appliesTo === 'memberships';
    const home = tenantUrl(this.settings, tenant, '/');
    const most = Math.min(maxUses ?? Infinity, maxPerPerson ?? Infinity);
    return {
      venue: tenant.name,
      title: givenBy(code, language),
      facts: usedAt?.name ?? '',
      details: [
        validFrom && own.from(momentOf(validFrom, 'start', language)),
        validUntil && own.until(momentOf(validUntil, 'end', language)),
      ]
        .filter(Boolean)
        .join(' · '),
      typed: code.code,
      where: own[isForMembers ? 'join' : 'enter'](new URL(home).host),
      foot: Number.isFinite(most) ? own[isForMembers ? 'memberships' : 'tickets'](most) : '',
      picture: own.picture(code.code),
      code: usedAt ? tenantUrl(this.settings, tenant, `${usedAt.path}?code=${encodeURIComponent(code.code)}`) : home,
    };
  }
}

/** SQL: codes that reduce memberships on sale, with the page of the only one, or of all. */
const membershipsSql = `select code.id, case when count(*) = 1 then min(product.name) else '' end as name,
    case when count(*) = 1 then '/memberships/' || min(price.id::text) else '/memberships' end as path, 0 as place
  from code join price on ${isShownSql('price')} join product on product.id = price.product_id and product.published
    and ${isKindSql('product.category', 'membership')}
  where code.id = any($1) and code.applies_to <> 'tickets' and code.effect <> 'none'
    and (code.product_ids = '{}' and code.price_ids = '{}' or product.id = any(code.product_ids) or price.id = any(code.price_ids))
  group by code.id`;

/** A midnight is told as the day that begins, or ends, then. */
function momentOf(instant: Date, of: 'start' | 'end', language: Language): string {
  const { timeZone } = currentTenant();
  const isMidnight = startOfDayInZone(isoInZone(instant, timeZone).slice(0, 10), timeZone)?.getTime() === instant.getTime();
  if (!isMidnight) return dayAndTimeWords(instant, language, timeZone);
  return dayWords(new Date(instant.getTime() - (of === 'end' ? 1 : 0)), language, timeZone);
}

function givenBy({ effect, value, appliesTo }: Code, language: Language): string {
  const own = words[language];
  if (effect === 'none' || value === null) return own.opens;
  if (effect === 'percent') return own.percent(writtenPercent(value, language));
  const amount = moneyWords(value, currency, language);
  if (appliesTo !== 'memberships') return own[effect](amount);
  return effect === 'price' ? own.membershipPrice(amount) : own.membershipAmount(amount);
}

const writtenPercent = (value: string, language: Language): string =>
  new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: 2 }).format(value as `${number}`);
