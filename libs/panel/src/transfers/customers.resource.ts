import { definedOf } from '#kernel';
import { transferDay } from '#messages';
import { TenantDb } from '#tenancy';
import { Customer, CustomersService, openOfCustomerSql, overdueOfCustomerSql, type CustomerInput } from '#transfers';
import type { PanelEntry, PanelRow, PanelSource, PanelValue, ResourceProvider } from '#panel-kit';
import {
  currentPanelRequest,
  declareProperties,
  entityReader,
  euros,
  inEachLanguage,
  PanelResource,
  recordHref,
  related,
  relatedProperty,
  textOf,
} from '#panel-kit';
import { refusable } from '../forms/refusals.js';
import { customerWords } from './transfers.words.js';

/** Schools, companies and works councils that buy on account, with what is open. */
@PanelResource({ panels: 'tenant', position: 73, modules: 'ticketing' })
export class CustomersResource implements ResourceProvider {
  constructor(
    private readonly db: TenantDb,
    private readonly customers: CustomersService,
  ) {}

  entry(): PanelEntry {
    const { db, customers } = this;
    const form = { required: false, show: true, form: true, export: true } as const;
    const sum = { type: 'decimal', sort: false, list: true, show: true, filter: false, export: true } as const;
    const declared = declareProperties(
      {
        name: { isTitle: true, list: true, form: true, filter: true, export: true },
        email: { ...form, type: 'email', help: 'customerEmailHelp', list: true, filter: true },
        address: { ...form, type: 'textarea', filter: false },
        taxNumber: { ...form, filter: true },
        paymentDays: { ...form, initial: 30, help: 'paymentDaysHelp', filter: false },
        open: { ...sum, sql: `${openOfCustomerSql('customer.id')}::numeric(12, 2)` },
        overdue: { ...sum, sql: `${overdueOfCustomerSql('customer.id')}::numeric(12, 2)` },
        orders: { ...relatedProperty('orders'), show: true },
        disabled: { initial: false, help: 'disabledHelp', list: true, show: true, form: true, filter: true, export: true },
        createdAt: { show: true, export: true },
        id: { show: true, export: true },
      },
      { entity: Customer, alias: 'customer' },
    );
    const reader = entityReader({ ...declared.reading, open: (work) => db.transaction(work), sort: { by: 'name', direction: 'asc' } });
    const source: PanelSource = {
      id: 'customers',
      properties: declared.properties,
      ...reader,
      findOne: async (id) => {
        const row = await reader.findOne(id);
        return row && { ...row, orders: await this.ordersOf(id) };
      },
      create: async (values) => {
        const input = toInput(values);
        const { id, name } = await refusable(() => customers.create({ ...input, name: input.name ?? '' }));
        return { id, name };
      },
      update: async (id, values) => ((await refusable(() => customers.update(id, toInput(values)))) ? source.findOne(id) : null),
    };
    return {
      source,
      group: 'sales',
      icon: 'Briefcase',
      rare: true,
      ...declared.places,
      sort: { by: 'name', direction: 'asc' },
      words: inEachLanguage((language) => customerWords[language]),
    };
  }

  private async ordersOf(id: string): Promise<PanelValue> {
    const { language } = currentPanelRequest();
    const words = customerWords[language];
    return related(
      (await this.customers.openOrders(id)).map(({ orderId, reference, dueOn, open }) => ({
        title: reference,
        href: recordHref('bank-transfers', orderId),
        details: [euros(open, language), `${words.due} ${transferDay(dueOn, language)}`].join(' · '),
      })),
    );
  }
}

/** Converts the form to the input of the service. */
function toInput({ name, email, address, taxNumber, paymentDays, disabled }: PanelRow): Partial<CustomerInput> {
  const text = (value: PanelValue | undefined): string | undefined => (value === undefined ? undefined : textOf(value));
  return definedOf({
    name: text(name),
    email: text(email),
    address: text(address),
    taxNumber: text(taxNumber),
    paymentDays: typeof paymentDays === 'number' ? paymentDays : undefined,
    disabled: typeof disabled === 'boolean' ? disabled : undefined,
  });
}
