import { isPlainText, RefusedInput, retryOnDeadlock } from '#kernel';
import { openOnAccountSql } from '#payments';
import { TenantDb } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { isEmail } from 'class-validator';
import { longestCustomer, longestPaymentDays, mostCustomers } from '../bounds.js';
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

/** A customer as it is chosen. */
export type NamedCustomer = Pick<Customer, 'id' | 'name'>;

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

  /** The orders of which something is open, those that are due first. */
  openOrders(customerId: string): Promise<OpenAccountOrder[]> {
    return this.db.transaction((tx) =>
      tx.query<OpenAccountOrder[]>(
        `select order_id as "orderId", reference, due_on::text as "dueOn", open::numeric(12, 2)::text as open
         from (select transfer.*, ${openOnAccountSql('sold.id')} as open from orders sold
           join bank_transfer transfer on transfer.order_id = sold.id where sold.customer_id = $1) on_account
         where open > 0 order by due_on, order_id limit ${mostListed}`,
        [customerId],
      ),
    );
  }

  /** @throws RefusedInput on the first member that does not fit */
  async create(input: CustomerInput): Promise<NamedCustomer> {
    const customer = checked(input);
    return this.db.transaction(async (tx) => {
      if ((await tx.count(Customer)) >= mostCustomers)
        throw new RefusedInput('name', texts.localized('customers.full', { most: mostCustomers }));
      const { identifiers } = await tx.insert(Customer, customer);
      return { id: identifiers[0]?.['id'] as string, name: customer.name };
    });
  }

  /** @returns false when there is none @throws RefusedInput as `create` */
  update(id: string, change: Partial<CustomerInput>): Promise<boolean> {
    return retryOnDeadlock(() =>
      this.db.transaction(async (tx) => {
        const current = await tx.findOne(Customer, { where: { id }, lock: { mode: 'for_no_key_update' } });
        if (!current) return false;
        const { name, email, address, taxNumber, paymentDays, disabled } = { ...current, ...change };
        await tx.update(Customer, { id }, checked({ name, email, address, taxNumber, paymentDays, disabled }));
        return true;
      }),
    );
  }
}

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
