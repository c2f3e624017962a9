import { ApiExtraModels, ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { formats, OneOf } from '#http';

/** A reference by UUID, as an object. */
export class ReferenceBody {
  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty({ ...formats.text, required: false, description: 'As it was answered.' })
  readonly name?: string;
}

/** A member that is a UUID, or an object with a UUID as `identifier`. */
export function IsReference(options: ApiPropertyOptions = {}): PropertyDecorator {
  return OneOf([ReferenceBody], [formats.uuid], options);
}

/** A member that is a list of references. */
export function AreReferences(options: ApiPropertyOptions = {}): PropertyDecorator {
  return list({ minItems: 1, maxItems: 100, ...options });
}

/** A member that is a reference, or a list of references. */
export function IsReferenceOrList(options: ApiPropertyOptions = {}): PropertyDecorator {
  return OneOf([ReferenceBody], [formats.uuid, { type: 'array', maxItems: 100, items: { anyOf: [formats.uuid, reference] } }], options);
}

const reference = { $ref: '#/components/schemas/ReferenceBody' };

function list(options: ApiPropertyOptions): PropertyDecorator {
  return (target, name) => {
    ApiExtraModels(ReferenceBody)(target.constructor);
    ApiProperty({ ...options, type: 'array', items: { anyOf: [formats.uuid, reference] } } as ApiPropertyOptions)(target, name);
  };
}
