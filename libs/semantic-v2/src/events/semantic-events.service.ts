import { Injectable } from '@nestjs/common';
import {
  eventProblem,
  EventsService,
  ImagesService,
  lastChangeOf,
  PostalAddressesService,
  toSchemaOrgAddress,
  toSchemaOrgEvent,
  type EventAnswer,
  type EventChange,
  type WholeEvent,
} from '#catalogue';
import { entityTag, reply, type Preconditions, type Reply } from '#http';
import { currentLanguage, languages } from '#kernel';
import { currentTenant, hasModule } from '#tenancy';
import { toNewAddress, type LinkAddressBody } from '../addresses/postal-address-body.dto.js';
import { toLinkedProducts, type LinkProductsBody } from '../products/linked-products.dto.js';
import { refuseOtherThanAnswered } from '../shared/answered-members.js';
import { preparedPictures, type PictureFiles } from '../shared/picture-form.js';
import { linkedAddressMembers, type EventBody, type EventChangeBody, type NewEventBody } from './event-body.dto.js';
import type { AnyEvent, AnyEventList, EventList } from './event-answers.dto.js';
import { toCategory } from './event-categories.dto.js';
import { keepUrl, toEventChange, toNewEvent } from './event-change.dto.js';
import { toEventQuery, type EventsQuery } from './events-query.dto.js';
import { NetworkEventsService } from './network-events.service.js';

/** Increment when the representation of events changes: it invalidates cached lists. */
const listShape = 2;

/** Events of the current tenant as schema.org Event; on a network, the events of its members. */
@Injectable()
export class SemanticEventsService {
  constructor(
    private readonly events: EventsService,
    private readonly images: ImagesService,
    private readonly addresses: PostalAddressesService,
    private readonly network: NetworkEventsService,
  ) {}

  async list(query: EventsQuery): Promise<Reply<AnyEventList>> {
    const wanted = toEventQuery(query);
    if (hasModule('federated-agenda')) return this.network.list(wanted);
    // Read before the list, so that a tag is never newer than its list.
    const state = await this.events.state(wanted);
    const page = this.events.pageOf({ slug: '' });
    const shape = { number: listShape, language: currentLanguage(), timeZone: currentTenant().timeZone, page };
    const read = async (): Promise<EventList> => {
      const events = await this.events.list(wanted);
      return { results: events.map((event) => this.shown(event)) };
    };
    return reply(read, { version: { state, shape } });
  }

  async create(body: NewEventBody, files: PictureFiles): Promise<Reply<EventAnswer>> {
    await this.checkAddress(body);
    const pictures = await preparedPictures(this.images, files);
    const event = await this.events.create({ ...this.withoutOwnPage(toNewEvent(body)), ...pictures });
    return this.answer(event, `/api/v2/events/${event.id}/`);
  }

  async get(key: string): Promise<Reply<AnyEvent>> {
    if (hasModule('federated-agenda')) return this.network.get(key);
    return this.answer(await this.events.find(key));
  }

  async change(key: string, body: EventChangeBody, files: PictureFiles, conditions: Preconditions): Promise<Reply<EventAnswer>> {
    await this.checkAddress(body);
    const pictures = await preparedPictures(this.images, files);
    const wanted = this.withoutOwnPage(toEventChange(body));
    const event = await this.events.update(key, { ...wanted, ...pictures }, (current) => {
      this.check(conditions, current);
      refuseOtherThanAnswered(body, this.shown(current), ['identifier', 'image']);
      const category = toCategory(body, current);
      const { url: answered } = toSchemaOrgEvent(current, currentTenant(), this.events.pageOf(current));
      return { ...keepUrl(wanted, current, answered), ...(category && { category }) };
    });
    return this.answer(event);
  }

  async remove(key: string, conditions: Preconditions): Promise<void> {
    const removed = await this.events.remove(key, (current) => this.check(conditions, current));
    if (!removed) throw eventProblem('event.unknown');
  }

  async linkAddress(key: string, body: LinkAddressBody, conditions: Preconditions): Promise<Reply<EventAnswer>> {
    const { postalAddressId: id } = body;
    const address = id === undefined ? toNewAddress(body) : { id: String(id) };
    return this.answer(await this.events.link(key, address, (current) => this.check(conditions, current)));
  }

  async linkProducts(key: string, body: LinkProductsBody, conditions: Preconditions): Promise<Reply<EventAnswer>> {
    const ids = toLinkedProducts(body).map(({ id }) => id);
    return this.answer(await this.events.sell(key, ids, (current) => this.check(conditions, current)));
  }

  /** Removes a URL that is the event's own page, because that is derived from the event and not stored. */
  private withoutOwnPage<Change extends EventChange>(change: Change): Change {
    return change.url?.startsWith(this.events.pageOf({ slug: '' })) ? { ...change, url: null } : change;
  }

  private shown(event: WholeEvent, language = currentLanguage()): EventAnswer {
    return toSchemaOrgEvent(event, { ...currentTenant(), language }, this.events.pageOf(event));
  }

  /** @throws Problem `event.unknown` when there is none */
  private answer(event: WholeEvent | undefined, location?: string): Reply<EventAnswer> {
    if (!event) throw eventProblem('event.unknown');
    return reply(this.shown(event), { modified: lastChangeOf(event), location });
  }

  /** An address is linked by its identifier. Its other members are accepted when unchanged, and cannot be changed here. */
  private async checkAddress({ location }: EventBody): Promise<void> {
    const linked = location?.address;
    if (!linked?.identifier || !linkedAddressMembers.some((name) => name in linked)) return;
    const address = await this.addresses.find(String(linked.identifier));
    if (!address) return;
    const answered = toSchemaOrgAddress(address, this.events.pageOf({ slug: '' }));
    refuseOtherThanAnswered(linked, answered, linkedAddressMembers, '/location/address');
  }

  /** Accepts the tag of any language, because a caller may read in one language and write in another. */
  private check(conditions: Preconditions, event: WholeEvent): void {
    const tags = languages.map((language) => entityTag(this.shown(event, language)));
    conditions.check({ tags, modified: lastChangeOf(event) });
  }
}
