import { isAmount, amountOf } from '#catalogue';
import { isUuid } from '#kernel';
import { paymentMethods } from '#payments';
import { currentPanelRequest, euros, formAction, PanelFieldError, textOf, type PanelAction, type PanelRow } from '#panel-kit';
import { accountMethods, type AccountOrdersService, type CustomersService } from '#transfers';
import { refusable } from '../forms/refusals.js';
import { customerWords, transferForms } from './transfers.words.js';

const wordsNow = () => customerWords[currentPanelRequest().language];

/** Records a payment of a customer for an order on account, in part or in whole. */
export function recordPaymentAction(accounts: AccountOrdersService, findOne: (id: string) => Promise<PanelRow | null>): PanelAction {
  return formAction({
    icon: 'DollarSign',
    variant: 'primary',
    visible: ({ open, customerId }) => open === true && isUuid(customerId),
    form: async (id) => {
      const { language } = currentPanelRequest();
      const words = wordsNow();
      const row = await findOne(id);
      const missing = textOf(row?.['missing']);
      return {
        lead: [words.recordLead],
        facts: [`${textOf(row?.['name'])} · ${words.open} ${euros(missing, language)}`],
        fields: [
          { name: 'amount', kind: 'text', label: words.amount, value: missing, required: true, longest: 12 },
          {
            name: 'method',
            kind: 'choice',
            label: words.method,
            value: accountMethods[0],
            options: accountMethods.map((value) => ({ value, label: paymentMethods[value][language] })),
          },
        ],
        submit: words.record,
      };
    },
    act: async (id, { amount, method: chosen }) => {
      const method = accountMethods.find((one) => one === chosen);
      if (!method) throw new PanelFieldError({ method: { message: 'fieldChoice' } });
      const typed = textOf(amount).trim().replace(',', '.');
      await refusable(() => accounts.record(id, { amount: isAmount(typed) ? amountOf(typed) : '0.00', method }));
      return { message: 'recorded' };
    },
  });
}

/**
 * Puts an order that awaits its payment on the account of a customer.
 * @param orderOf the order of a record
 */
export function onAccountAction(
  { accounts, customers }: { readonly accounts: AccountOrdersService; readonly customers: CustomersService },
  orderOf: (id: string) => Promise<string | undefined>,
): PanelAction {
  return formAction({
    icon: 'Briefcase',
    visible: ({ billable }) => billable === true,
    form: async () => {
      const words = wordsNow();
      const options = (await customers.offered()).map(({ id, name }) => ({ value: id, label: name }));
      return {
        lead: [words.onAccountLead],
        fields: [{ name: 'customerId', kind: 'select', label: words.customer, options, required: true }],
        submit: words.onAccount,
      };
    },
    act: async (id, { customerId }) => {
      if (!isUuid(customerId)) throw new PanelFieldError({ customerId: { message: 'fieldRequired' } });
      const orderId = await orderOf(id);
      const outcome = orderId === undefined ? 'gone' : await refusable(() => accounts.bill(orderId, customerId));
      if (outcome === 'gone') throw new PanelFieldError({}, wordsNow().notWhole);
      if (outcome === 'late') throw new PanelFieldError({}, transferForms[currentPanelRequest().language].late);
      return { message: 'billed' };
    },
  });
}

/** Says in how many parts an order on account is due, and from which day on. */
export function instalmentsAction(accounts: AccountOrdersService, findOne: (id: string) => Promise<PanelRow | null>): PanelAction {
  return formAction({
    icon: 'Calendar',
    visible: ({ open, customerId }) => open === true && isUuid(customerId),
    form: async (id) => {
      const words = wordsNow();
      const row = await findOne(id);
      return {
        lead: [words.instalmentsLead],
        fields: [
          { name: 'count', kind: 'text', label: words.count, value: String(Number(row?.['instalments'] ?? 1)), required: true, longest: 2 },
          { name: 'from', kind: 'date', label: words.from, value: textOf(row?.['dueOn']).slice(0, 10), required: true },
        ],
        submit: words.divide,
      };
    },
    act: async (id, { count, from }) => {
      const isDone = await refusable(() => accounts.divide(id, { count: Number(textOf(count)), from: textOf(from) }));
      if (!isDone) throw new PanelFieldError({}, 'error404Record');
      return { message: 'divided' };
    },
  });
}
