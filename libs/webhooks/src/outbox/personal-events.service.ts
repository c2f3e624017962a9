import { currentTenant, type Tx } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { withoutPersons } from './without-persons.js';

interface Message {
  readonly id: string;
  readonly data: unknown;
}

/** Removes names, addresses and answers of people from events that were recorded before these people were erased. */
@Injectable()
export class PersonalEventsService {
  /**
   * Blanks people in the events about some objects, also in those that no worker handed on yet, and deletes what receivers answered to
   * them. Events keep their ids and positions.
   * @param subjects ids of reservations, tickets and memberships whose events are read
   * @param persons ids of objects, or e-mail addresses, whose person is blanked
   */
  async blank(tx: Tx, subjects: readonly string[], persons: readonly string[]): Promise<void> {
    const stored = await tx.query<Message[]>('select id, data from webhook_event where subject_id = any($1) for update', [subjects]);
    for (const { id, data } of changed(stored, persons)) await tx.query('update webhook_event set data = $2 where id = $1', [id, data]);
    await tx.query(
      `update webhook_attempt set answer = null
       where answer is not null and delivery_id in (select id from webhook_delivery where event_id = any($1))`,
      [stored.map(({ id }) => id)],
    );
    const own = currentTenant().id;
    const waiting = await tx.query<Message[]>(
      'select id, data from shared.outbox where tenant_id = $1 and subject_id = any($2) for update',
      [own, subjects],
    );
    for (const { id, data } of changed(waiting, persons))
      await tx.query('update shared.outbox set data = $3 where tenant_id = $1 and id = $2', [own, id, data]);
  }
}

/** The messages that name one of the persons, without them. */
function changed(messages: readonly Message[], persons: readonly string[]): { readonly id: string; readonly data: string }[] {
  const known = new Set(persons.map((person) => person.toLowerCase()));
  return messages.flatMap(({ id, data }) => {
    const blank = JSON.stringify(withoutPersons(data, known));
    return blank === JSON.stringify(data) ? [] : [{ id, data: blank }];
  });
}
