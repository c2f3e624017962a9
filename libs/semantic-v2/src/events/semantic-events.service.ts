import { Injectable } from '@nestjs/common';
import { announcedMove, EventNoticesService } from '#notices';
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
  type NewEvent,
  type PostalAddressAnswer,
  type WholeEvent,
} from '#catalogue';
import { entityTag, reply, type Preconditions, type Reply } from '#http';
import { currentLanguage, isNothing, languages, present } from '#kernel';
import { currentTenant, hasModule } from '#tenancy';
import { toNewAddress, type LinkAddressBody } from '../addresses/postal-address-body.dto.js';
import { toLinkedProducts, type LinkProductsBody } from '../products/linked-products.dto.js';
import { otherThanAnswered, refuseOtherThanAnswered } from '../shared/answered-members.js';
import { SentPicturesService } from '../shared/sent-pictures.service.js';
import { preparedPictures, type PictureFiles } from '../shared/picture-form.js';
import type { EventBody, EventChangeBody, NewEventBody } from './event-body.dto.js';
import { linkedAddressMembers, placeOf } from './event-location-body.dto.js';
import { endAfter, toDetails } from './event-details-change.dto.js';
import type { AnyEvent, AnyEventList, EventList } from './event-answers.dto.js';
import { toCategory } from './event-categories.dto.js';
import { keepUrl, withoutOwnSeries, toEventChange, toNewEvent, withParentOnly } from './event-change.dto.js';
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
    private readonly pictures: SentPicturesService,
    private readonly notices: EventNoticesService,
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
    const place = await this.placeOfOthers(body);
    const pictures = await this.pictures.prepare(files, body.image);
    const event = await this.events.create({ ...this.withoutOwnPage(toNewEvent(body)), ...place, ...pictures });
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
    const more = body.notifyHolders === true ? this.notices.tellingOf(body.holderNote ?? undefined) : undefined;
    const check = (current: WholeEvent): EventChange => {
      this.check(conditions, current);
      refuseOtherThanAnswered(body, this.shown(current), ['identifier', 'image']);
      const category = toCategory(withParentOnly(body), current);
      const { url: answered } = toSchemaOrgEvent(current, currentTenant(), this.events.pageOf(current));
      const startsAt = wanted.startsAt ?? current.startsAt;
      // A length that is sent back as it was answered changes no end.
      const isSame = body.duration === this.shown(current).duration;
      const endsAt = wanted.endsAt === undefined && !isSame ? endAfter(body.duration, startsAt) : undefined;
      return {
        ...keepUrl(wanted, current, answered),
        ...(category && { category }),
        ...toDetails(withoutOwnSeries(body, current, this.shown(current)), current.details, startsAt),
        ...(endsAt && { endsAt }),
        ...(more && body.eventStatus === undefined && announcedMove(current, wanted)),
      };
    };
    const event = await this.events.update(
      key,
      { ...wanted, ...pictures },
      check,
      more ?? ((tx, before, now) => this.notices.untold(tx, before, now)),
    );
    return this.answer(event);
  }

  async remove(key: string, conditions: Preconditions): Promise<void> {
    const removed = await this.events.remove(key, (current) => this.check(conditions, current));
    if (!removed) throw eventProblem('event.unknown');
  }

  async linkAddress(key: string, body: LinkAddressBody, conditions: Preconditions): Promise<Reply<EventAnswer>> {
    const { postalAddressId: id } = body;
    const address = id === undefined ? { ...toNewAddress(body), ...(await this.pictures.prepare({}, body.image)) } : { id: String(id) };
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
  private async checkAddress(body: EventBody): Promise<void> {
    const answered = await this.linkedAddress(body);
    if (answered) refuseOtherThanAnswered(body.location?.address ?? {}, answered, linkedAddressMembers, '/location/address');
  }

  /** The place of a new event whose address has the identifier that it has elsewhere: what another place answered, for example. */
  private async placeOfOthers(body: NewEventBody): Promise<Pick<NewEvent, 'place'>> {
    const { location } = body;
    const isNamed = linkedAddressMembers.some((name) => !isNothing(location?.address?.[name]));
    if (!location?.address?.identifier || !isNamed) return {};
    const answered = await this.linkedAddress(body);
    if (answered && otherThanAnswered(location.address, answered, linkedAddressMembers).length === 0) return {};
    return present({ place: placeOf(location) });
  }

  /** The address that the body names by its identifier, as it is answered; undefined when there is none. */
  private async linkedAddress({ location }: EventBody): Promise<PostalAddressAnswer | undefined> {
    const identifier = location?.address?.identifier;
    const address = identifier ? await this.addresses.find(String(identifier)) : null;
    return address ? toSchemaOrgAddress(address, this.events.pageOf({ slug: '' })) : undefined;
  }

  /** Accepts the tag of any language, because a caller may read in one language and write in another. */
  private check(conditions: Preconditions, event: WholeEvent): void {
    const tags = languages.map((language) => entityTag(this.shown(event, language)));
    conditions.check({ tags, modified: lastChangeOf(event) });
  }
}
