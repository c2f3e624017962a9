import { Injectable } from '@nestjs/common';
import { isVisible, refuseUnfitText, RefusedInput, retryOnDeadlock } from '#kernel';
import { demandModule, TenantDb, type Tx } from '#tenancy';
import { Event, eventTexts } from '../entities/event.entity.js';
import { lockEventByKey, whereKey } from '../event-data/event-key.js';
import { EventPublisherService } from '../event-data/event-publisher.service.js';
import { EventOption, type EventOptionKind } from '../entities/event-option.entity.js';
import { RefusedEvent } from './event-rules.js';
import { chosenSql } from './event-words.js';
import { eventProblem } from './events.problems.js';
import { loadWhole, type WholeEvent } from '../event-data/whole-event.js';
import { texts } from '../locales/catalogue.texts.js';

export interface EventOptionChange {
  readonly name?: string;
  /** Position among the options of its kind, starting at 1; null: the last one. */
  readonly order?: number | null;
  readonly published?: boolean;
}

export type NewEventOption = EventOptionChange & Pick<EventOption, 'kind' | 'name'>;

/**
 * Manages single options of the current tenant's events. A `key` is an event's UUID or its slug. Every change of an option locks its
 * event and counts as a change of the event.
 * @throws Problem 404 `event.unknown`, `event.option_unknown` from every method
 */
@Injectable()
export class EventOptionsService {
  constructor(
    private readonly db: TenantDb,
    private readonly publisher: EventPublisherService,
  ) {}

  /** Radio options first, of each kind the published ones first, in their order. */
  list(key: string): Promise<readonly EventOption[]> {
    return this.db.transaction(async (tx) => (await read(tx, key)).options);
  }

  /** Finds an option of an event. */
  find(key: string, id: string): Promise<EventOption> {
    return this.db.transaction(async (tx) => optionOf(await read(tx, key), id));
  }

  /** Creates an option. @throws RefusedInput on kind or name; RefusedEvent `option_exists`; Problem 403 `tenant.module` */
  create(key: string, { kind, order = null, published = true, ...input }: NewEventOption): Promise<EventOption> {
    demandModule('ticketing');
    return this.changing(key, async (tx, event) => {
      const name = checkedName(event, kind, input.name);
      const others = event.options.filter((option) => option.kind === kind);
      const most = eventTexts[kind === 'radio' ? 'radioOptions' : 'checkboxOptions'].entries;
      if (others.length >= most) throw tooMany(most);
      const { identifiers } = await tx.insert(EventOption, { eventId: event.id, kind, name, published, position: others.length });
      const { id } = identifiers[0] as { id: string };
      await arrange(tx, others, id, order);
      return optionOf(await this.publishChange(tx, event), id);
    });
  }

  /**
   * Changes an option. Reservations that chose it keep its former name.
   * @param underLock sees the option while it is locked; an error that it throws cancels the change
   * @throws RefusedInput on name; RefusedEvent `option_exists`; what `underLock` throws
   */
  update(
    key: string,
    id: string,
    { name, order, published }: EventOptionChange,
    underLock: (current: EventOption) => void,
  ): Promise<EventOption> {
    return this.changing(key, async (tx, event) => {
      const current = optionOf(event, id);
      underLock(current);
      const changed = {
        ...(name !== undefined && name !== current.name && { name: checkedName(event, current.kind, name) }),
        ...(published !== undefined && published !== current.published && { published }),
      };
      const moved = order !== undefined && order !== current.position + 1;
      if (!moved && Object.keys(changed).length === 0) return current;
      if (Object.keys(changed).length > 0) await tx.update(EventOption, { id }, changed);
      const others = event.options.filter((option) => option.kind === current.kind && option.id !== id);
      if (moved) await arrange(tx, others, id, order);
      return optionOf(await this.publishChange(tx, event), id);
    });
  }

  /**
   * Deletes an option that nobody chose.
   * @throws RefusedEvent `option_chosen`; what `underLock` throws
   */
  remove(key: string, id: string, underLock: (current: EventOption) => void): Promise<void> {
    return this.changing(key, async (tx, event) => {
      const current = optionOf(event, id);
      underLock(current);
      // Locked first: bookings that are choosing it hold a share lock on its row and are visible to the next statement.
      await tx.query('select 1 from event_option where id = $1 for update', [id]);
      const [, deleted] = await tx.query<[unknown[], number]>(`delete from event_option where id = $1 and not ${chosenSql}`, [id]);
      if (deleted === 0) throw new RefusedEvent('option_chosen');
      await arrange(
        tx,
        event.options.filter((option) => option.kind === current.kind && option.id !== id),
      );
      await this.publishChange(tx, event);
    });
  }

  private changing<Result>(key: string, work: (tx: Tx, event: WholeEvent) => Promise<Result>): Promise<Result> {
    return retryOnDeadlock(() =>
      this.db.transactionOnce(async (tx) => {
        const event = await lockEventByKey(tx, key, 'for_no_key_update');
        if (!event) throw eventProblem('event.unknown');
        return work(tx, event);
      }),
    );
  }

  private async publishChange(tx: Tx, { id }: WholeEvent): Promise<WholeEvent> {
    return (await this.publisher.publishAgain(tx, [id]))[0] as WholeEvent;
  }
}

async function read(tx: Tx, key: string): Promise<WholeEvent> {
  const known = await tx.findOne(Event, { where: whereKey(key), select: { id: true } });
  const [event] = known ? await loadWhole(tx, [known.id]) : [];
  if (!event) throw eventProblem('event.unknown');
  return event;
}

function optionOf({ options }: WholeEvent, id: string): EventOption {
  const option = options.find((one) => one.id === id);
  if (!option) throw eventProblem('event.option_unknown');
  return option;
}

/** @throws RefusedInput on name, RefusedEvent `option_exists` */
function checkedName({ options }: WholeEvent, kind: EventOptionKind, given: string): string {
  refuseUnfitText('name', given, eventTexts.radioOptions.each);
  const name = given.trim();
  if (!isVisible(name)) {
    throw new RefusedInput('name', texts.localized('eventOptions.nameMissing'));
  }
  if (options.some((option) => option.kind === kind && option.name === name)) throw new RefusedEvent('option_exists');
  return name;
}

/** Renumbers the options of a kind with one of them at a given position. @param order starting at 1; null: the last one */
async function arrange(tx: Tx, others: readonly EventOption[], id?: string, order: number | null = null): Promise<void> {
  const ids = others.map((option) => option.id);
  if (id !== undefined) ids.splice(order === null ? ids.length : Math.min(order - 1, ids.length), 0, id);
  await tx.query(
    `update event_option set position = place - 1 from unnest($1::uuid[]) with ordinality as given (id, place)
     where event_option.id = given.id and position <> place - 1`,
    [ids],
  );
}

function tooMany(most: number): RefusedInput {
  return new RefusedInput('kind', texts.localized('eventOptions.tooMany', { most }));
}
