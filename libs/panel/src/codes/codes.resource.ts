import { definedOf } from '#kernel';
import { TenantDb } from '#tenancy';
import { CodeCardsService, mostCards } from '#notices';
import {
  Code,
  allUsesOfCodeSql,
  codeEffects,
  codeTargets,
  CodeImportsService,
  CodesService,
  givenPlacesSql,
  membershipUsesSql,
  usesOfCodeSql,
  type CodeChange,
  type NewCode,
} from '#tickets';
import type { PanelEntry, PanelRow, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  declareProperties,
  entityReader,
  euros,
  PanelResource,
  recordHref,
  related,
  relatedProperty,
  textOf,
} from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';
import { codesImportPage } from './import.page.js';

const words = texts.perLanguage('codes', ({ words: own, t }) => ({ ...own, tickets: (count: number) => t('codes.tickets', { count }) }));

/** Orders that are named on the page of a code. */
const mostOrders = 100;

const usesSql = `(${allUsesOfCodeSql('count(*)::int', 'code.id')})`;
const spentSql = `(${allUsesOfCodeSql('coalesce(sum(used.saved), 0)::numeric(10, 2)', 'code.id')})`;

/** The discount codes of the venue. */
@PanelResource({ panels: 'tenant', position: 115, modules: 'ticketing' })
export class CodesResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly codes: CodesService,
    private readonly imports: CodeImportsService,
    private readonly cards: CodeCardsService,
  ) {}

  entry(): PanelEntry {
    const { db, codes } = this;
    const targets = { show: true, form: true, sort: false, filter: false } as const;
    const exported = { sort: false, filter: false, export: true } as const;
    const declared = declareProperties(
      {
        code: { isTitle: true, help: 'codeHelp', list: true, form: true, filter: true, export: true },
        count: { type: 'number', sql: 'null::integer', required: false, help: 'countHelp', sort: false, form: true, filter: false },
        effect: { availableValues: codeEffects, initial: 'percent', list: true, show: true, form: true, filter: true, export: true },
        appliesTo: {
          availableValues: codeTargets,
          initial: 'tickets',
          help: 'appliesToHelp',
          show: true,
          form: true,
          filter: true,
          export: true,
        },
        value: { required: false, help: 'valueHelp', list: true, show: true, form: true, filter: false, export: true },
        uses: { type: 'number', sql: usesSql, sort: false, list: true, show: true, filter: false, export: true },
        spent: { type: 'decimal', sql: spentSql, sort: false, list: true, show: true, filter: false, export: true },
        eventId: { reference: 'events', sql: 'code.event_ids[1]', help: 'eventHelp', ...targets },
        productId: { reference: 'products', sql: 'code.product_ids[1]', help: 'productHelp', ...targets },
        priceId: { reference: 'prices', sql: 'code.price_ids[1]', help: 'priceHelp', ...targets },
        others: {
          type: 'number',
          sql: `nullif(greatest(0, cardinality(code.event_ids) - 1) + greatest(0, cardinality(code.product_ids) - 1)
            + greatest(0, cardinality(code.price_ids) - 1), 0)`,
          sort: false,
          show: true,
          filter: false,
        },
        validFrom: { show: true, form: true, filter: false, export: true },
        validUntil: { list: true, show: true, form: true, filter: false, export: true },
        maxUses: { help: 'usesHelp', show: true, form: true, filter: false, export: true },
        maxPerPerson: { show: true, form: true, filter: false, export: true },
        budget: { help: 'budgetHelp', show: true, form: true, filter: false, export: true },
        reserved: { required: false, initial: 0, help: 'reservedHelp', show: true, form: true, filter: false, export: true },
        placeAmount: { required: false, help: 'placeAmountHelp', show: true, form: true, filter: false },
        given: {
          type: 'number',
          sql: `case when code.place_amount is not null then ${givenPlacesSql('code')} end`,
          sort: false,
          show: true,
          filter: false,
        },
        givenLeft: {
          type: 'number',
          sql: `case when code.place_amount is not null then greatest(0, ${givenPlacesSql('code')} - ${usesSql}) end`,
          sort: false,
          show: true,
          filter: false,
        },
        tellsGiven: { initial: false, help: 'tellsGivenHelp', show: true, form: true, filter: false },
        tag: { help: 'tagHelp', list: true, show: true, form: true, filter: true, export: true },
        disabled: { initial: false, list: true, show: true, form: true, filter: true, export: true },
        orders: { ...relatedProperty('orders'), show: true },
        // Where a list is imported again, they say what the codes are for.
        events: { sql: `array_to_string(code.event_ids, ', ')`, ...exported },
        products: { sql: `array_to_string(code.product_ids, ', ')`, ...exported },
        prices: { sql: `array_to_string(code.price_ids, ', ')`, ...exported },
        createdAt: { show: true, export: true },
        id: { show: true },
      },
      { entity: Code, alias: 'code' },
    );
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      sort: { by: 'createdAt', direction: 'desc' },
    });
    const source: PanelSource = {
      id: 'codes',
      properties: declared.properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        return row && { ...row, orders: await this.ordersOf(id) };
      },
      create: async (values) => {
        const count = typeof values['count'] === 'number' ? values['count'] : 1;
        const { code, ...input } = toChange(values);
        const make = async () => {
          if (count === 1) return codes.create({ ...input, code: code ?? '' });
          return (await codes.generate(count, code ?? '', input))[0];
        };
        const made = await refusable(make, { 'tenant.module': 'code' });
        return { id: made?.id ?? '', name: made?.code ?? '' };
      },
      update: async (id, values) => {
        const current = await codes.find(id);
        const changed = current && (await refusable(() => codes.update(id, toChange(values, current))));
        return changed ? source.findOne(id) : null;
      },
    };
    return {
      source,
      group: 'programme',
      icon: 'Percent',
      rare: true,
      ...declared.places,
      onlyNew: ['count'],
      pages: { import: codesImportPage(this.imports) },
      prints: {
        label: 'cards',
        most: mostCards,
        read: (ids) => this.cards.sheetOf(ids),
        tooMany: texts.localized('codes.cards.tooMany', { most: mostCards }),
        nothing: texts.localized('codes.cards.nothing'),
      },
      sort: { by: 'createdAt', direction: 'desc' },
      words,
    };
  }

  /** The orders with tickets, and the memberships, that use the code, the newest first. */
  private async ordersOf(codeId: string): Promise<PanelValue> {
    const { language } = currentPanelRequest();
    const rows = await this.db.transaction((tx) =>
      tx.query<{ id: string; name: string; at: Date; tickets: number | null; saved: string }[]>(
        `select used.id, coalesce(event.name, product.name) as name, used.at, used.tickets, used.saved from (
           ${usesOfCodeSql(
             `reservation.id, reservation.event_id, null::uuid as product_id, reservation.created_at as at, count(*)::int as tickets,
             sum(used.saved)::numeric(10, 2)::text as saved`,
             '$1',
           )} and not reservation.is_draft group by reservation.id
           union all ${membershipUsesSql(
             'membership.id, null, membership.product_id, membership.created_at, null, used.saved::numeric(10, 2)::text',
             '$1',
           )}) used
         left join event on event.id = used.event_id left join product on product.id = used.product_id
         order by used.at desc, used.id limit ${mostOrders}`,
        [codeId],
      ),
    );
    return related(
      rows.map(({ id, name, at, tickets, saved }) => ({
        title: name,
        href: recordHref(tickets === null ? 'memberships' : 'reservations', id),
        at: at.toISOString(),
        details: `${tickets === null ? words[language].membership : words[language].tickets(tickets)} · −${euros(saved, language)}`,
      })),
    );
  }
}

const given = (value: PanelValue | undefined): boolean => value !== undefined && value !== null && value !== '';
const instantOf = (value: PanelValue | undefined): Date | null => (typeof value === 'string' && value !== '' ? new Date(value) : null);
const numberOf = (value: PanelValue | undefined): number | null => (typeof value === 'number' ? value : null);
const amountOf = (value: PanelValue | undefined): string | null => (given(value) ? String(value) : null);

/** The ids that a code names, after its form showed the first of them: the others stay unless that one changes. */
function idsOf(value: PanelValue | undefined, current: readonly string[] = []): string[] | undefined {
  if (value === undefined) return undefined;
  const first = given(value) ? textOf(value) : undefined;
  return first === current[0] ? undefined : first === undefined ? [] : [first];
}

/** Converts the form's values to the service's input. @param current before the change */
function toChange(row: PanelRow, current?: Code): CodeChange {
  const {
    code,
    effect,
    appliesTo,
    value,
    eventId,
    productId,
    priceId,
    validFrom,
    validUntil,
    maxUses,
    maxPerPerson,
    budget,
    reserved,
    placeAmount,
    tellsGiven,
    tag,
    disabled,
  } = row;
  const change = {
    code: code === undefined ? undefined : textOf(code),
    effect: given(effect) ? (textOf(effect) as NonNullable<NewCode['effect']>) : undefined,
    appliesTo: given(appliesTo) ? (textOf(appliesTo) as NonNullable<NewCode['appliesTo']>) : undefined,
    value: textOf(effect) === 'none' ? null : value === undefined ? undefined : amountOf(value),
    eventIds: idsOf(eventId, current?.eventIds),
    productIds: idsOf(productId, current?.productIds),
    priceIds: idsOf(priceId, current?.priceIds),
    validFrom: validFrom === undefined ? undefined : instantOf(validFrom),
    validUntil: validUntil === undefined ? undefined : instantOf(validUntil),
    maxUses: maxUses === undefined ? undefined : numberOf(maxUses),
    maxPerPerson: maxPerPerson === undefined ? undefined : numberOf(maxPerPerson),
    budget: budget === undefined ? undefined : amountOf(budget),
    reserved: reserved === undefined ? undefined : (numberOf(reserved) ?? 0),
    placeAmount: placeAmount === undefined ? undefined : amountOf(placeAmount),
    tellsGiven: typeof tellsGiven === 'boolean' ? tellsGiven : undefined,
    tag: tag === undefined ? undefined : amountOf(tag),
    disabled: typeof disabled === 'boolean' ? disabled : undefined,
  };
  return definedOf(change);
}
