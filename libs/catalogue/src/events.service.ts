import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { partsInZone, refuseUnlessWhole, RefusedInput, violatedConstraint } from '#kernel';
import { currentTenant, TenantDb, type Tx } from '#tenancy';
import { EventProduct } from './event-product.entity.js';
import { Event } from './event.entity.js';

type Writable = Omit<Event, 'id' | 'slug' | 'createdAt' | 'postalAddress'>;
export type NewEvent = Pick<Event, 'name' | 'startsAt'> & Partial<Writable>;
export type EventChange = Partial<Writable>;

/** Events of the current tenant. */
@Injectable()
export class Events {
  constructor(private readonly db: TenantDb) {}

  create(input: NewEvent): Promise<Event> {
    return this.db.transaction((tx) => this.createIn(tx, input));
  }

  /** @throws RefusedInput on name, startsAt, endsAt, capacity, maxPerUser or a scan window minute */
  async createIn(tx: Tx, input: NewEvent): Promise<Event> {
    checkEvent(input);
    const id = randomUUID();
    const event = tx.create(Event, { ...input, id, slug: slugOf(input.name, input.startsAt, id) });
    try {
      await tx.insert(Event, event);
    } catch (error) {
      throw refusalOf(error) ?? error;
    }
    return tx.findOneByOrFail(Event, { id });
  }

  /** The slug stays: addresses that were handed out go on working. @throws RefusedInput; false when there is no such event */
  async update(id: string, change: EventChange): Promise<boolean> {
    return this.db.transaction(async (tx) => {
      const event = await tx.findOne(Event, { where: { id }, lock: { mode: 'pessimistic_write' } });
      if (!event) return false;
      checkEvent({ ...event, ...change });
      try {
        if (Object.keys(change).length > 0) await tx.update(Event, { id }, change);
      } catch (error) {
        throw refusalOf(error) ?? error;
      }
      return true;
    });
  }

  /** Sells products for an event. Those that are linked already stay. */
  async linkProducts(tx: Tx, eventId: string, productIds: readonly string[]): Promise<void> {
    const links = productIds.map((productId) => ({ eventId, productId }));
    if (links.length > 0) await tx.createQueryBuilder().insert().into(EventProduct).values(links).orIgnore().execute();
  }
}

function checkEvent(event: Partial<Event>): void {
  if (!event.name?.trim())
    throw new RefusedInput('name', { en: 'Give the event a name.', fr: "Donnez un nom à l'événement." });
  if (!event.startsAt || Number.isNaN(event.startsAt.getTime())) {
    throw new RefusedInput('startsAt', { en: 'Say when it starts.', fr: 'Indiquez quand il commence.' });
  }
  if (event.endsAt && event.endsAt < event.startsAt) {
    throw new RefusedInput('endsAt', { en: 'The end is before the start.', fr: 'La fin est avant le début.' });
  }
  refuseUnlessWhole('capacity', event.capacity, 0);
  refuseUnlessWhole('maxPerUser', event.maxPerUser, 1);
  refuseUnlessWhole('scanOpensMinutesBefore', event.scanOpensMinutesBefore, 0);
  refuseUnlessWhole('scanClosesMinutesAfter', event.scanClosesMinutesAfter, 0);
}

function refusalOf(error: unknown): RefusedInput | undefined {
  switch (violatedConstraint(error)) {
    case 'event_name_starts_at_key':
      return new RefusedInput('name', {
        en: 'An event of this name starts at that time already.',
        fr: 'Un événement de ce nom commence déjà à cette heure.',
      });
    case 'event_postal_address_id_fkey':
      return new RefusedInput('postalAddressId', {
        en: 'There is no such address.',
        fr: "Cette adresse n'existe pas.",
      });
    default:
      return undefined;
  }
}

/** Decisions 9: name, local date and time, first eight hex digits of the UUID. */
function slugOf(name: string, startsAt: Date, id: string): string {
  const { year, month, day, hour, minute } = partsInZone(startsAt, currentTenant().timeZone);
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
  return [words, `${year}${month}${day}-${hour}${minute}`, id.slice(0, 8)].filter(Boolean).join('-');
}
