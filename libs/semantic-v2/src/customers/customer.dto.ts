import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiModel, formats } from '#http';
import { present } from '#kernel';
import type { ValuedCustomer, WholeCustomer } from '#transfers';
import { positiveDecimal } from '../shared/saving.dto.js';

/** An order on account of which something is open. */
class AccountOrderAnswer {
  @ApiProperty({ ...formats.uuid, description: 'The order.' })
  readonly identifier!: string;

  @ApiProperty({ ...formats.text, description: 'What the transfer says.' })
  readonly reference!: string;

  @ApiProperty({ ...formats.text, format: 'date', description: 'The last day to pay it, or its first part.' })
  readonly dueOn!: string;

  @ApiProperty(positiveDecimal)
  readonly open!: string;
}

/** Who buys on account. */
@ApiModel('Customer', {
  example: {
    identifier: '9d5e0f0a-5c55-4f0e-9a3e-7f1f6f0f2d44',
    name: 'Lycée Ada',
    email: 'office@example.org',
    address: '1 rue du Port\n44000 Nantes',
    paymentDays: 30,
    disabled: false,
    open: '250.00',
    overdue: '0.00',
  },
})
export class CustomerAnswer {
  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty(formats.text)
  readonly name!: string;

  @ApiPropertyOptional({ ...formats.text, description: 'Where it is told what is to be paid.' })
  readonly email?: string;

  @ApiPropertyOptional({ ...formats.text, description: 'Lines of a letter.' })
  readonly address?: string;

  @ApiPropertyOptional({ ...formats.text, description: 'For VAT.' })
  readonly taxNumber?: string;

  @ApiProperty({ ...formats.count, description: 'Days that it has to pay.' })
  readonly paymentDays!: number;

  @ApiProperty({ ...formats.boolean, description: 'Whether it buys nothing on account any more.' })
  readonly disabled!: boolean;

  @ApiProperty({ ...positiveDecimal, description: 'What it has to pay.' })
  readonly open!: string;

  @ApiProperty({ ...positiveDecimal, description: 'What of that is late.' })
  readonly overdue!: string;

  @ApiPropertyOptional({ type: [AccountOrderAnswer], description: 'Of one customer: what is open, those that are due first.' })
  readonly orders?: readonly AccountOrderAnswer[];
}

export class CustomerList {
  @ApiProperty({ type: [CustomerAnswer] })
  readonly results!: readonly CustomerAnswer[];
}

/** Renders a customer; orders are those of a whole one. */
export function toCustomer(customer: ValuedCustomer & Partial<Pick<WholeCustomer, 'orders'>>): CustomerAnswer {
  const { id, name, email, address, taxNumber, paymentDays, disabled, open, overdue, orders } = customer;
  return present({
    identifier: id,
    name,
    email: email || undefined,
    address: address || undefined,
    taxNumber: taxNumber || undefined,
    paymentDays,
    disabled,
    open,
    overdue,
    orders: orders?.map(({ orderId, ...order }) => ({ identifier: orderId, ...order })),
  });
}
