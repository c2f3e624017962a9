import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { formats } from '#http';
import { isoInZone } from '#kernel';
import { currentTenant } from '#tenancy';

export const positiveDecimal = { ...formats.text, pattern: '^\\d+\\.\\d{2}$' };
export const uuidList = { type: 'array', items: formats.uuid } as const;

/** What a discount code and a discount without one have in common. */
export class SavingAnswer {
  @ApiProperty(formats.uuid)
  readonly identifier!: string;

  @ApiProperty({ ...uuidList, description: 'Products that it is for.' })
  readonly products!: readonly string[];

  @ApiProperty({ ...uuidList, description: 'Events that it is for; none: all.' })
  readonly events!: readonly string[];

  @ApiPropertyOptional(formats.instant)
  readonly validFrom?: string;

  @ApiPropertyOptional(formats.instant)
  readonly validThrough?: string;

  @ApiProperty(formats.boolean)
  readonly disabled!: boolean;
}

interface Saving {
  readonly id: string;
  readonly productIds: readonly string[];
  readonly eventIds: readonly string[];
  readonly validFrom: Date | null;
  readonly validUntil: Date | null;
  readonly disabled: boolean;
}

/** Renders what both have. */
export function savingMembers({ id, productIds, eventIds, validFrom, validUntil, disabled }: Saving) {
  const { timeZone } = currentTenant();
  const time = (value: Date | null): string | undefined => (value === null ? undefined : isoInZone(value, timeZone));
  return {
    identifier: id,
    products: productIds,
    events: eventIds,
    validFrom: time(validFrom),
    validThrough: time(validUntil),
    disabled,
  };
}
