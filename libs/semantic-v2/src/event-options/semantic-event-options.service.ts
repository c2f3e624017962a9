import { Injectable } from '@nestjs/common';
import { EventOptionsService, toOptionValue, type EventOption, type EventOptionAnswer } from '#catalogue';
import { entityTag, reply, type Preconditions, type Reply } from '#http';
import { refuseOtherThanAnswered } from '../shared/answered-members.js';
import type { EventOptionList } from './event-option-list.dto.js';
import { toNewOption, toOptionChange, type NewOptionBody, type OptionChangeBody } from './event-option-body.dto.js';

/** Options of one event as schema.org PropertyValue. */
@Injectable()
export class SemanticEventOptionsService {
  constructor(private readonly options: EventOptionsService) {}

  async list(key: string): Promise<Reply<EventOptionList>> {
    return reply({ results: (await this.options.list(key)).map(toOptionValue) });
  }

  async create(key: string, body: NewOptionBody): Promise<Reply<EventOptionAnswer>> {
    const option = await this.options.create(key, toNewOption(body));
    return reply(toOptionValue(option), { location: `/api/v2/events/${option.eventId}/options/${option.id}/` });
  }

  async get(key: string, id: string): Promise<Reply<EventOptionAnswer>> {
    return reply(toOptionValue(await this.options.find(key, id)));
  }

  async change(key: string, id: string, body: OptionChangeBody, conditions: Preconditions): Promise<Reply<EventOptionAnswer>> {
    const option = await this.options.update(key, id, toOptionChange(body), (current) => {
      check(conditions, current);
      refuseOtherThanAnswered(body, toOptionValue(current), ['identifier', 'kind']);
    });
    return reply(toOptionValue(option));
  }

  remove(key: string, id: string, conditions: Preconditions): Promise<void> {
    return this.options.remove(key, id, (current) => check(conditions, current));
  }
}

function check(conditions: Preconditions, current: EventOption): void {
  conditions.check({ tags: [entityTag(toOptionValue(current))] });
}
