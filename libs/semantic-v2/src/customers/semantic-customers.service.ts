import { Injectable } from '@nestjs/common';
import { entityTag, JsonList, reply, toPage, type PageQuery, type Preconditions, type Reply } from '#http';
import { bookingProblem } from '#tickets';
import { CustomersService, type WholeCustomer } from '#transfers';
import { refuseOtherThanAnswered } from '../shared/answered-members.js';
import { toCustomerChange, toNewCustomer, type CustomerChangeBody, type NewCustomerBody } from './customer-body.dto.js';
import { toCustomer, type CustomerAnswer } from './customer.dto.js';

/** Customers of the current tenant, who buy on account. */
@Injectable()
export class SemanticCustomersService {
  constructor(private readonly customers: CustomersService) {}

  async list(query: PageQuery): Promise<Reply<JsonList<CustomerAnswer>>> {
    const page = toPage(query);
    const { customers, total } = await this.customers.list(page);
    const list = new JsonList<CustomerAnswer>();
    list.add(customers.map(toCustomer));
    return reply(list, { member: 'results', page: { page, total } });
  }

  async create(body: NewCustomerBody): Promise<Reply<CustomerAnswer>> {
    const customer = await this.customers.create(toNewCustomer(body));
    return answer(customer, `/api/v2/customers/${customer.id}/`);
  }

  async get(id: string): Promise<Reply<CustomerAnswer>> {
    return answer(await this.customers.find(id));
  }

  async change(id: string, body: CustomerChangeBody, conditions: Preconditions): Promise<Reply<CustomerAnswer>> {
    const customer = await this.customers.update(id, toCustomerChange(body), (current) => {
      conditions.check({ tags: [entityTag(toCustomer(current))] });
      refuseOtherThanAnswered(body, toCustomer(current), ['identifier', 'open', 'overdue', 'orders']);
    });
    return answer(customer);
  }
}

/** @throws Problem `customer.unknown` when there is none */
function answer(customer: WholeCustomer | undefined, location?: string): Reply<CustomerAnswer> {
  if (!customer) throw bookingProblem('customer.unknown');
  return reply(toCustomer(customer), { location });
}
