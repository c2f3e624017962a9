import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  AppliesPrefer,
  Describe,
  formats,
  IfMatch,
  MapsRefusals,
  PageQuery,
  Preconditions,
  UuidParam,
  Versioned,
  WholeList,
  type JsonList,
  type Reply,
} from '#http';
import { Access, NeedsModule } from '#tenancy';
import { bookingProblem } from '#tickets';
import { CustomerChangeBody, customerPointers, NewCustomerBody } from './customer-body.dto.js';
import { CustomerAnswer, CustomerList } from './customer.dto.js';
import { SemanticCustomersService } from './semantic-customers.service.js';

const CustomerId = (): ParameterDecorator => UuidParam('id', () => bookingProblem('customer.unknown'));

/** Customers of the caller's tenant. */
@Controller('api/v2/customers')
@ApiTags('Customers')
@ApiParam({ name: 'id', description: 'Identifier of the customer.', ...formats.uuid, example: '9d5e0f0a-5c55-4f0e-9a3e-7f1f6f0f2d44' })
@Access('key', 'customer')
@MapsRefusals(customerPointers)
export class SemanticCustomersController {
  constructor(private readonly customers: SemanticCustomersService) {}

  @Get()
  @WholeList()
  @Versioned({ list: true })
  @Describe({
    summary: 'Customers by their names',
    description: 'All, with what is open of their orders on account, unless a page is asked for.',
  })
  @ApiOkResponse({ type: CustomerList, description: 'The customers' })
  list(@Query() query: PageQuery): Promise<Reply<JsonList<CustomerAnswer>>> {
    return this.customers.list(query);
  }

  @NeedsModule('ticketing')
  @Post()
  @Versioned()
  @AppliesPrefer()
  @Describe({ summary: 'A new customer', description: 'The box office can sell to it on account.' })
  @ApiCreatedResponse({ type: CustomerAnswer, description: 'Made' })
  create(@Body() body: NewCustomerBody): Promise<Reply<CustomerAnswer>> {
    return this.customers.create(body);
  }

  @Get(':id')
  @Versioned()
  @Describe({ summary: 'One customer', description: 'With the orders of which something is open.', problems: ['customer.unknown'] })
  @ApiOkResponse({ type: CustomerAnswer, description: 'The customer' })
  get(@CustomerId() id: string): Promise<Reply<CustomerAnswer>> {
    return this.customers.get(id);
  }

  @NeedsModule('ticketing')
  @Patch(':id')
  @Versioned()
  @AppliesPrefer()
  @Describe({
    summary: 'Change a customer (JSON merge patch)',
    description: 'What is absent stays, null removes. Orders keep their last day to pay.',
    problems: ['customer.unknown'],
  })
  @ApiOkResponse({ type: CustomerAnswer, description: 'The customer as it is now' })
  change(@CustomerId() id: string, @Body() body: CustomerChangeBody, @IfMatch() conditions: Preconditions): Promise<Reply<CustomerAnswer>> {
    return this.customers.change(id, body, conditions);
  }
}
