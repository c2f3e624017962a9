import { Inject, Injectable } from '@nestjs/common';
import { EventsService, ImagesService, type Event, type WholeEvent } from '#catalogue';
import { isEmail, SETTINGS, type Settings } from '#kernel';
import type { MailTenant } from '#messages';
import { currentTenant, tenantUrl, VenueContactService } from '#tenancy';
import { LRUCache } from 'lru-cache';

/** Reads what mails of one event have in common. */
@Injectable()
export class MailSourcesService {
  private readonly recentEvents = new LRUCache<string, Promise<WholeEvent | undefined>>({ max: 500, ttl: 1000 });
  private readonly recentVenues = new LRUCache<string, Promise<MailTenant>>({ max: 500, ttl: 1000 });

  constructor(
    private readonly events: EventsService,
    private readonly contact: VenueContactService,
    private readonly images: ImagesService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** The sending venue. An invalid contact address is left out. */
  async venue(): Promise<MailTenant> {
    const tenant = currentTenant();
    const { name, timeZone } = tenant;
    const { email, address, website, logoImageId } = await this.contact.read();
    return {
      name,
      timeZone,
      url: tenantUrl(this.settings, tenant, '/'),
      email: email !== null && isEmail(email) ? email : null,
      sender: this.settings.mailFrom.address,
      address,
      website,
      logo: logoImageId === null ? undefined : await this.images.printable(logoImageId),
    };
  }

  /** The event with its address, tags and options. @returns undefined when it does not exist */
  event(id: string): Promise<WholeEvent | undefined> {
    return this.events.find(id);
  }

  /** Like `event`, for many mails in a row: what belongs to the event, such as its address, is read once a second. */
  recentEvent({ id, updatedAt }: Pick<Event, 'id' | 'updatedAt'>): Promise<WholeEvent | undefined> {
    return kept(this.recentEvents, `${currentTenant().id} ${id} ${updatedAt.getTime()}`, () => this.event(id));
  }

  /** Like `venue`, for many mails in a row: at most a second old. */
  recentVenue(): Promise<MailTenant> {
    return kept(this.recentVenues, currentTenant().id, () => this.venue());
  }

  /** The address of the event's public page. */
  pageOf(event: WholeEvent): string {
    return this.events.pageOf(event);
  }
}

/** Returns the value that is kept, or reads it and keeps it. An error is not kept. */
function kept<Value>(cache: LRUCache<string, Promise<Value>>, key: string, read: () => Promise<Value>): Promise<Value> {
  const known = cache.get(key);
  if (known) return known;
  const reading = read();
  cache.set(key, reading);
  reading.catch(() => cache.delete(key));
  return reading;
}
