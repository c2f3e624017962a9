import type { Page } from '#http';
import { isPlainText, RefusedInput, retryOnDeadlock } from '#kernel';
import { openOnAccountSql } from '#payments';
import { TenantDb, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import { longestCustomer, longestPaymentDays, mostCustomers } from '../bounds.js';
import { overdueOfCustomerSql } from '../expected/instalments.js';
import { texts } from '../locales/transfers.texts.js';
import { Customer } from './customer.entity.js';

/** What staff enter of a customer. */
export type CustomerInput = Pick<Customer, 'name'> & Partial<Omit<Customer, 'id' | 'createdAt'>>;

/** An order on account of which something is open. */
interface OpenAccountOrder {
  readonly orderId: string;
  readonly reference: string;
  /** ISO date. */
  readonly dueOn: string;
  /** Decimal text. */
  readonly open: string;
}

/** Orders that the page of a customer names. */
const mostListed = 200;

/** A customer with what it has to pay, as decimal texts. */
export type ValuedCustomer = Customer & { readonly open: string; readonly overdue: string };

/** A customer, and the orders of which something is open. */
export type WholeCustomer = ValuedCustomer & { readonly orders: readonly OpenAccountOrder[] };

/** A customer as it is chosen. */
type NamedCustomer = Pick<Customer, 'id' | 'name'>;

/** SQL: what is open of all orders of a customer, in euros. */
export const openOfCustomerSql = (customerId: string): string => `(select coalesce(sum(greatest(open, 0)), 0)
  from (select ${openOnAccountSql('sold.id')} as open from orders sold where sold.customer_id = ${customerId}) on_account)`;

/** The customers of the current tenant, who buy on account. */
@Injectable()
export class CustomersService {
  constructor(private readonly db: TenantDb) {}

  /** Those who may buy, by their names. */
  offered(): Promise<NamedCustomer[]> {
    return this.db.transaction((tx) =>
      tx.find(Customer, { select: { id: true, name: true }, where: { disabled: false }, order: { name: 'ASC', id: 'ASC' } }),
    );
  }

  /** By their names, also those that are switched off. @returns also the total number */
  list(page: Page | undefined): Promise<{ customers: ValuedCustomer[]; total: number }> {
    return this.db.transaction(async (tx) => {
      const customers = await tx.find(Customer, { order: { name: 'ASC', id: 'ASC' }, ...page });
      return { customers: await valued(tx, customers), total: page ? await tx.count(Customer) : customers.length };
    });
  }

  /** @returns undefined when there is none */
  find(id: string): Promise<WholeCustomer | undefined> {
    return this.db.transaction((tx) => wholeCustomer(tx, id));
  }

  /** The orders of which something is open, those that are due first. */
  openOrders(customerId: string): Promise<OpenAccountOrder[]> {
    return this.db.transaction((tx) => openOrdersOf(tx, customerId));
  }

  /** @throws RefusedInput on the first member that does not fit */
  async create(input: CustomerInput): Promise<WholeCustomer> {
    const customer = checked(input);
    return this.db.transactionOnce(async (tx) => {
      if ((await tx.count(Customer)) >= mostCustomers)
        throw new RefusedInput('name', texts.localized('customers.full', { most: mostCustomers }));
      const { identifiers } = await tx.insert(Customer, customer);
      return (await wholeCustomer(tx, identifiers[0]?.['id'] as string)) as WholeCustomer;
    });
  }

  /**
   * @param underLock sees the customer while it is locked; an error that it throws cancels the change
   * @returns undefined when there is none @throws RefusedInput as `create`; what `underLock` throws
   */
  update(id: string, change: Partial<CustomerInput>, underLock?: (current: WholeCustomer) => void): Promise<WholeCustomer | undefined> {
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        const locked = await tx.findOne(Customer, { where: { id }, lock: { mode: 'for_no_key_update' } });
        if (!locked) return undefined;
        const current = underLock && (await wholeCustomer(tx, id));
        if (underLock && current) underLock(current);
        const { name, email, address, taxNumber, paymentDays, disabled } = { ...locked, ...change };
        await tx.update(Customer, { id }, checked({ name, email, address, taxNumber, paymentDays, disabled }));
        return wholeCustomer(tx, id);
      }),
    );
  }
}

/** Adds what is open. The order of the customers stays. */
async function valued(tx: Tx, customers: readonly Customer[]): Promise<ValuedCustomer[]> {
  const rows = await tx.query<{ id: string; open: string; overdue: string }[]>(
    `select id, ${openOfCustomerSql('customer.id')}::numeric(12, 2)::text as open,
       ${overdueOfCustomerSql('customer.id')}::numeric(12, 2)::text as overdue from customer where id = any($1)`,
    [customers.map(({ id }) => id)],
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return customers.map((customer) => ({ open: '0.00', overdue: '0.00', ...byId.get(customer.id), ...customer }));
}

async function wholeCustomer(tx: Tx, id: string): Promise<WholeCustomer | undefined> {
  const [customer] = await valued(tx, await tx.find(Customer, { where: { id } }));
  return customer && { ...customer, orders: await openOrdersOf(tx, id) };
}

const openOrdersOf = (tx: Tx, customerId: string): Promise<OpenAccountOrder[]> =>
  tx.query<OpenAccountOrder[]>(
    `select order_id as "orderId", reference, due_on::text as "dueOn", open::numeric(12, 2)::text as open
     from (select transfer.*, ${openOnAccountSql('sold.id')} as open from orders sold
       join bank_transfer transfer on transfer.order_id = sold.id where sold.customer_id = $1) on_account
     where open > 0 order by due_on, order_id limit ${mostListed}`,
    [customerId],
  );

function checked({ name, email = '', address = '', taxNumber = '', paymentDays = 30, disabled = false }: CustomerInput) {
  const customer = { name: name.trim(), email: email.trim(), address: address.trim(), taxNumber: taxNumber.trim(), paymentDays, disabled };
  const refused = (field: keyof CustomerInput, most: number): RefusedInput =>
    new RefusedInput(field, texts.localized('customers.fault', { most }));
  if (!isPlainText(customer.name, 1, longestCustomer.name)) throw refused('name', longestCustomer.name);
  if (customer.email !== '' && (!isEmail(customer.email) || customer.email.length > longestCustomer.email))
    throw new RefusedInput('email', texts.localized('customers.email'));
  if (!isPlainText(customer.address.replaceAll(/\r?\n/g, ' '), 0, longestCustomer.address))
    throw refused('address', longestCustomer.address);
  if (!isPlainText(customer.taxNumber, 0, longestCustomer.taxNumber)) throw refused('taxNumber', longestCustomer.taxNumber);
  if (!Number.isInteger(paymentDays) || paymentDays < 0 || paymentDays > longestPaymentDays)
    throw new RefusedInput('paymentDays', texts.localized('customers.days', { most: longestPaymentDays }));
  return customer;
}
