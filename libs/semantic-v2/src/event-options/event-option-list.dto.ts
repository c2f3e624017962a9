import { ApiProperty } from '@nestjs/swagger';
import { EventOptionAnswer } from '#catalogue';

export class EventOptionList {
  @ApiProperty({ type: [EventOptionAnswer] })
  readonly results!: readonly EventOptionAnswer[];
}
