import { definedOf } from '#kernel';
import { TenantDb } from '#tenancy';
import {
  Discount,
  discountEffects,
  discountKinds,
  DiscountsService,
  usesOfDiscountSql,
  type CountedDiscount,
  type DiscountChange,
  type SetPart,
} from '#tickets';
import type { PanelEntry, PanelRow, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import { declareProperties, entityReader, PanelResource, textOf } from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { texts } from '../locales/panel.texts.js';

const words = texts.perLanguage('discounts', ({ words: own }) => own);

const usesSql = `(${usesOfDiscountSql('count(*)::int', 'discount.id')})`;
const spentSql = `(${usesOfDiscountSql('coalesce(sum(used.saved), 0)::numeric(10, 2)', 'discount.id')})`;

/** The parts of a set that the form has; the API takes more. */
const formParts = ['first', 'second', 'third'] as const;

const parts = Object.fromEntries(
  formParts.flatMap((name, index) => [
    [
      `${name}PriceId`,
      { reference: 'prices', sql: `(discount.parts->${index}->'priceIds'->>0)::uuid`, show: true, form: true, sort: false, filter: false },
    ],
    [
      `${name}Count`,
      {
        type: 'number',
        sql: `(discount.parts->${index}->>'quantity')::int`,
        required: false,
        show: true,
        form: true,
        sort: false,
        filter: false,
      },
    ],
  ]),
) as Readonly<
  Record<`${(typeof formParts)[number]}${'PriceId' | 'Count'}`, { readonly sql: string; readonly show: true; readonly form: true }>
>;

/** The discounts of the venue that need no code. */
@PanelResource({ panels: 'tenant', position: 116, modules: 'ticketing' })
export class DiscountsResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly discounts: DiscountsService,
  ) {}

  entry(): PanelEntry {
    const { db, discounts } = this;
    const targets = { show: true, form: true, sort: false, filter: false } as const;
    const number = { required: false, show: true, form: true, filter: false, export: true } as const;
    const declared = declareProperties(
      {
        name: { isTitle: true, help: 'nameHelp', list: true, form: true, filter: true, export: true },
        kind: { availableValues: discountKinds, initial: 'n_for_m', list: true, show: true, form: true, filter: true, export: true },
        effect: {
          availableValues: discountEffects,
          required: false,
          initial: 'percent',
          help: 'effectHelp',
          show: true,
          form: true,
          filter: false,
          export: true,
        },
        value: { help: 'valueHelp', list: true, show: true, form: true, filter: false, export: true },
        least: { help: 'leastHelp', ...number },
        reduced: { help: 'reducedHelp', ...number },
        leastAmount: { help: 'leastAmountHelp', ...number },
        membershipId: { reference: 'products', help: 'membershipHelp', ...targets },
        ...parts,
        uses: { type: 'number', sql: usesSql, sort: false, list: true, show: true, filter: false, export: true },
        spent: { type: 'decimal', sql: spentSql, sort: false, list: true, show: true, filter: false, export: true },
        eventId: { reference: 'events', sql: 'discount.event_ids[1]', help: 'eventHelp', ...targets },
        productId: { reference: 'products', sql: 'discount.product_ids[1]', help: 'productHelp', ...targets },
        priceId: { reference: 'prices', sql: 'discount.price_ids[1]', help: 'priceHelp', ...targets },
        others: {
          type: 'number',
          sql: `nullif(greatest(0, cardinality(discount.event_ids) - 1) + greatest(0, cardinality(discount.product_ids) - 1)
            + greatest(0, cardinality(discount.price_ids) - 1), 0)`,
          sort: false,
          show: true,
          filter: false,
        },
        validFrom: { show: true, form: true, filter: false, export: true },
        validUntil: { list: true, show: true, form: true, filter: false, export: true },
        disabled: { initial: false, list: true, show: true, form: true, filter: true, export: true },
        createdAt: { show: true, export: true },
        id: { show: true },
      },
      { entity: Discount, alias: 'discount' },
    );
    const reader = entityReader({
      ...declared.reading,
      open: (work) => db.transaction(work),
      sort: { by: 'createdAt', direction: 'desc' },
    });
    const source: PanelSource = {
      id: 'discounts',
      properties: declared.properties,
      ...reader,
      create: async (values) => {
        const change = toChange(values);
        const made = await refusing(() => discounts.create({ ...change, name: change.name ?? '', kind: change.kind ?? 'n_for_m' }));
        return { id: made.id, name: made.name };
      },
      update: async (id, values) => {
        const current = await discounts.find(id);
        const changed = current && (await refusing(() => discounts.update(id, toChange(values, current))));
        return changed ? source.findOne(id) : null;
      },
    };
    return {
      source,
      group: 'programme',
      icon: 'Scissors',
      rare: true,
      ...declared.places,
      sort: { by: 'createdAt', direction: 'desc' },
      words,
    };
  }
}

/** Faults of a set stand beside its first price. */
const refusing = <Result>(work: () => Promise<Result>): Promise<Result> =>
  refusable(work, { 'tenant.module': 'name' }, { parts: 'firstPriceId' });

const given = (value: PanelValue | undefined): boolean => value !== undefined && value !== null && value !== '';
const instantOf = (value: PanelValue | undefined): Date | null => (typeof value === 'string' && value !== '' ? new Date(value) : null);
const numberOf = (value: PanelValue | undefined): number | null => (typeof value === 'number' ? value : null);
const optional = <Value>(value: PanelValue | undefined, convert: (value: PanelValue) => Value): Value | undefined =>
  value === undefined ? undefined : convert(value);

/** The ids that a discount names, after its form showed the first of them: the others stay unless that one changes. */
function idsOf(value: PanelValue | undefined, current: readonly string[] = []): string[] | undefined {
  if (value === undefined) return undefined;
  const first = given(value) ? textOf(value) : undefined;
  return first === current[0] ? undefined : first === undefined ? [] : [first];
}

/** Those of the form; a part whose first price stays keeps its others, and parts beyond the form stay. */
function partsOf(row: PanelRow, current: readonly SetPart[] = []): SetPart[] | undefined {
  if (formParts.every((name) => row[`${name}PriceId`] === undefined && row[`${name}Count`] === undefined)) return undefined;
  const shown = formParts.flatMap((name, index): SetPart[] => {
    const former = current[index];
    const [price, count] = [row[`${name}PriceId`], row[`${name}Count`]];
    const priceIds = idsOf(price, former?.priceIds) ?? former?.priceIds ?? [];
    const quantity = count === undefined ? former?.quantity : numberOf(count);
    return priceIds.length === 0 ? [] : [{ priceIds, quantity: quantity ?? 1 }];
  });
  return [...shown, ...current.slice(formParts.length)];
}

/** Converts the form's values to the service's input. @param current before the change */
function toChange(row: PanelRow, current?: CountedDiscount): DiscountChange {
  const { name, kind, effect, value, membershipId, disabled } = row;
  const change = {
    name: optional(name, textOf),
    kind: given(kind) ? (textOf(kind) as Discount['kind']) : undefined,
    effect: given(effect) ? (textOf(effect) as Discount['effect']) : undefined,
    value: given(value) ? String(value) : undefined,
    least: optional(row['least'], numberOf),
    reduced: optional(row['reduced'], numberOf),
    leastAmount: optional(row['leastAmount'], (amount) => (given(amount) ? String(amount) : null)),
    membershipId: optional(membershipId, (id) => (given(id) ? textOf(id) : null)),
    parts: partsOf(row, current?.parts),
    eventIds: idsOf(row['eventId'], current?.eventIds),
    productIds: idsOf(row['productId'], current?.productIds),
    priceIds: idsOf(row['priceId'], current?.priceIds),
    validFrom: optional(row['validFrom'], instantOf),
    validUntil: optional(row['validUntil'], instantOf),
    disabled: typeof disabled === 'boolean' ? disabled : undefined,
  };
  return definedOf(change);
}
