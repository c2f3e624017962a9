import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Constant, formats } from '#http';

export const decimalAmount = { ...formats.text, pattern: '^\\d+\\.\\d\\d$', description: 'Decimal text.' };
export const codeFormat = { ...formats.text, description: 'To be shown at the door. Only while it is valid, and not in lists.' };
export const paymentAddress = { ...formats.url, description: 'Where to pay, while that is awaited.' };

/** A person as schema.org Person. */
export class PersonAnswer {
  @Constant('Person')
  readonly '@type'!: 'Person';

  @ApiPropertyOptional({ ...formats.text, format: 'idn-email' })
  readonly email?: string;

  @ApiPropertyOptional(formats.text)
  readonly givenName?: string;

  @ApiPropertyOptional(formats.text)
  readonly familyName?: string;
}

class GivenAnswer {
  @Constant('PropertyValue')
  readonly '@type'!: 'PropertyValue';

  @ApiProperty({ ...formats.text, description: 'Name of the question.' })
  readonly propertyID!: string;

  @ApiProperty({ ...formats.text, description: 'The question as it was asked.' })
  readonly name!: string;

  @ApiProperty({ anyOf: [{ type: 'string' }, { type: 'boolean' }, { type: 'array', items: { type: 'string' } }] })
  readonly value!: string | boolean | readonly string[];
}

/** Answers to the questions of the products, in `additionalProperty`. */
@ApiExtraModels(GivenAnswer)
export class CustomFormProperty {
  @Constant('PropertyValue')
  readonly '@type'!: 'PropertyValue';

  @Constant('customForm')
  readonly name!: 'customForm';

  @ApiProperty({ type: [GivenAnswer], description: 'Answers to the questions of the products.' })
  readonly value!: readonly GivenAnswer[];
}
