import { Inject, Injectable } from '@nestjs/common';
import { EventsService, ImagesService, type Event, type WholeEvent } from '#catalogue';
import { isEmail, RecentReadings, SETTINGS, type Settings } from '#kernel';
import type { MailTenant } from '#messages';
import { hasWithdrawal } from '#tickets';
import { currentTenant, tenantUrl, VenueContactService } from '#tenancy';
import { limits } from '../limits.js';

/** Reads what mails of one event have in common. */
@Injectable()
export class MailSourcesService {
  private readonly recentEvents = new RecentReadings<WholeEvent | undefined>(limits.keptEvents.kept);
  private readonly recentVenues = new RecentReadings<MailTenant>(limits.keptVenues.kept);

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
    const { email, address, website, logoImageId, accentColour, country } = await this.contact.read();
    return {
      name,
      timeZone,
      url: tenantUrl(this.settings, tenant, '/'),
      email: email !== null && isEmail(email) ? email : null,
      sender: this.settings.mailFrom.address,
      address,
      website,
      accent: accentColour,
      hasWithdrawal: hasWithdrawal(country),
      logo: logoImageId === null ? undefined : await this.images.printable(logoImageId),
    };
  }

  /** The event with its address, tags and options. @returns undefined when it does not exist */
  event(id: string): Promise<WholeEvent | undefined> {
    return this.events.find(id);
  }

  /** Like `event`, for many mails in a row: what belongs to the event, such as its address, is read once a second. */
  recentEvent({ id, updatedAt }: Pick<Event, 'id' | 'updatedAt'>): Promise<WholeEvent | undefined> {
    return this.recentEvents.read(`${currentTenant().id} ${id} ${updatedAt.getTime()}`, () => this.event(id));
  }

  /** Like `venue`, for many mails in a row: at most a second old. */
  recentVenue(): Promise<MailTenant> {
    return this.recentVenues.read(currentTenant().id, () => this.venue());
  }

  /** The address of the event's public page. */
  pageOf(event: WholeEvent): string {
    return this.events.pageOf(event);
  }
}
