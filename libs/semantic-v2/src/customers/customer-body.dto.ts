import { ApiProperty } from '@nestjs/swagger';
import { ApiModel } from '#http';
import { definedOf, may, optionalText, text, whenSent } from '#kernel';
import { longestCustomer, longestPaymentDays, type CustomerInput } from '#transfers';
import { Allow } from 'class-validator';
import { asAnswered } from '../shared/answered-members.js';
import { switchMember } from '../shared/sale-members.js';
import { texts } from '../locales/semantic-v2.texts.js';

const isDays = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= longestPaymentDays;
/** Ends of lines are no control characters here. */
const isAddress = (value: unknown): boolean => typeof value === 'string' && value.length <= longestCustomer.address;

/** Optional members of a customer; null removes a value. */
class CustomerMembers {
  @ApiProperty({ description: 'Where it is told what is to be paid.' })
  @optionalText(longestCustomer.email)
  email?: string | null;

  @may('isAddress', isAddress, texts.localized('customerBody.addressInvalid', { most: longestCustomer.address }), {
    type: String,
    maxLength: longestCustomer.address,
    description: 'Lines of a letter.',
  })
  address?: string | null;

  @ApiProperty({ description: 'For VAT.' })
  @optionalText(longestCustomer.taxNumber)
  taxNumber?: string | null;

  @may('isDays', isDays, texts.localized('customerBody.daysInvalid', { most: longestPaymentDays }), {
    type: 'integer',
    minimum: 0,
    maximum: longestPaymentDays,
    default: 30,
    description: 'Days that it has to pay.',
  })
  paymentDays?: number | null;

  @switchMember({ default: false, description: 'Whether it buys nothing on account any more.' })
  disabled?: boolean | null;
}

/** Body of `POST /api/v2/customers/`. */
@ApiModel('NewCustomer', { example: { name: 'Lycée Ada', email: 'office@example.org', paymentDays: 30 } })
export class NewCustomerBody extends CustomerMembers {
  @text(1, longestCustomer.name)
  name!: string;
}

/** Body of `PATCH /api/v2/customers/<uuid>/`, a JSON merge patch: absent members do not change. */
@ApiModel('CustomerChange', { example: { disabled: true } })
export class CustomerChangeBody extends CustomerMembers {
  @whenSent()
  @text(1, longestCustomer.name)
  name?: string;

  @ApiProperty({ type: String, format: 'uuid', required: false, description: asAnswered })
  @Allow()
  identifier?: unknown;

  @ApiProperty({ type: String, required: false, description: asAnswered })
  @Allow()
  open?: unknown;

  @ApiProperty({ type: String, required: false, description: asAnswered })
  @Allow()
  overdue?: unknown;

  @ApiProperty({ type: 'array', items: { type: 'object' }, required: false, description: asAnswered })
  @Allow()
  orders?: unknown;
}

const emptied = (value: string | null | undefined): string | undefined => (value === null ? '' : value);

/** @param body a validated body */
export function toCustomerChange({ name, email, address, taxNumber, paymentDays, disabled }: CustomerChangeBody): Partial<CustomerInput> {
  return definedOf({
    name,
    email: emptied(email),
    address: emptied(address),
    taxNumber: emptied(taxNumber),
    paymentDays: paymentDays === null ? 30 : paymentDays,
    disabled: disabled === null ? false : disabled,
  });
}

/** Maps a validated body to a new customer. */
export const toNewCustomer = (body: NewCustomerBody): CustomerInput => ({ ...toCustomerChange(body), name: body.name });

/** Members of the body by the field names of the service. */
export const customerPointers: Readonly<Record<string, string>> = {
  name: '/name',
  email: '/email',
  address: '/address',
  taxNumber: '/taxNumber',
  paymentDays: '/paymentDays',
};
