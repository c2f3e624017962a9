import { ApiProperty } from '@nestjs/swagger';
import { EventAnswer, eventExample } from '#catalogue';
import { ApiUnion } from '#http';
import { NetworkEventAnswer } from '#places';

export class EventList {
  @ApiProperty({ type: [EventAnswer] })
  readonly results!: readonly EventAnswer[];
}

export class NetworkEventList {
  @ApiProperty({ type: [NetworkEventAnswer] })
  readonly results!: readonly NetworkEventAnswer[];
}

/** An event of this tenant; in a network also an event of a member. */
export type AnyEvent = EventAnswer | NetworkEventAnswer;

@ApiUnion('AnyEvent', [EventAnswer, NetworkEventAnswer], { example: eventExample, anyOf: true })
export class AnyEventModel {}

export type AnyEventList = EventList | NetworkEventList;

/** `anyOf`, because an empty list matches both. */
@ApiUnion('AnyEventList', [EventList, NetworkEventList], { example: { results: [eventExample] }, anyOf: true })
export class AnyEventListModel {}
