import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import {
  eventProblem,
  Events,
  Images,
  lastChangeOf,
  PostalAddresses,
  toSchemaOrgAddress,
  toSchemaOrgEvent,
  type EventChange,
  type WholeEvent,
} from '#catalogue';
import {
  checkPreconditions,
  Describe,
  entityTag,
  FormFiles,
  applyPrefer,
  showListValidators,
  showValidators,
  WholeList,
} from '#http';
import { currentLanguage, languages } from '#kernel';
import { Access, currentTenant, hasModule, NeedsModule } from '#tenancy';
import type { Request, Response } from 'express';
import { EventKey } from '../shared/event-key.js';
import { refuseOtherThanAnswered } from '../shared/answered-members.js';
import { EventChangeBody, linkedAddressMembers, NewEventBody, type EventBody } from './event-body.dto.js';
import { toCategory } from './event-categories.dto.js';
import { keepUrl, toEventChange, toNewEvent } from './event-change.dto.js';
import { NetworkEventsService } from './network-events.service.js';
import { preparedPictures, TakesEventForm, type PictureFiles } from '../shared/picture-form.js';
import { EventsQuery, toEventQuery } from './events-query.dto.js';
import { LinkAddressBody, toNewAddress } from '../addresses/postal-address-body.dto.js';
import { LinkProductsBody, toLinkedProducts } from '../products/linked-products.dto.js';
import { pointersById } from '../shared/references.dto.js';
import { mapRefusals } from '../shared/refusals.dto.js';
import { eventsApi } from './events.api.js';

/** To be counted up when events are shown in another way: who has a list of before then has it no more. */
const listShape = 2;

/** Events of the caller's tenant as schema.org Event. */
@Controller('api/v2/events')
@Access('key', 'event')
export class SemanticEventsController {
  constructor(
    private readonly events: Events,
    private readonly images: Images,
    private readonly addresses: PostalAddresses,
    private readonly network: NetworkEventsService,
  ) {}

  @Get()
  @WholeList()
  @Describe(eventsApi.list)
  async list(
    @Query() query: EventsQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const wanted = toEventQuery(query);
    if (hasModule('federated-agenda')) return this.network.list(wanted, request, response);
    // Asked first: a tag may be older than its list, never younger.
    const state = await this.events.state(wanted);
    const shape = { number: listShape, language: currentLanguage(), timeZone: currentTenant().timeZone, page: this.events.pageOf({ slug: '' }) }; // prettier-ignore
    showListValidators(response, { state, shape });
    if (request.fresh) {
      response.status(304);
      return undefined;
    }
    const events = await this.events.list(wanted);
    return { results: events.map((event) => this.shown(event)) };
  }

  @NeedsModule('events')
  @Post()
  @TakesEventForm()
  @Describe(eventsApi.create)
  async create(
    @Body() body: NewEventBody,
    @FormFiles() files: PictureFiles,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    await this.checkAddress(body);
    const pictures = await preparedPictures(this.images, files);
    const event = await mapRefusals(this.events.create({ ...this.withoutOwnPage(toNewEvent(body)), ...pictures }));
    response.location(`/api/v2/events/${event.id}/`);
    return applyPrefer(request, response, this.answer(event, response));
  }

  @Get(':key')
  @Describe(eventsApi.get)
  async get(@Param('key', EventKey) key: string, @Res({ passthrough: true }) response: Response): Promise<object> {
    if (hasModule('federated-agenda')) return this.network.get(key, response);
    return this.answer(known(await this.events.find(key)), response);
  }

  @NeedsModule('events')
  @Patch(':key')
  @TakesEventForm()
  @Describe(eventsApi.change)
  async change(
    @Param('key', EventKey) key: string,
    @Body() body: EventChangeBody,
    @FormFiles() files: PictureFiles,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    await this.checkAddress(body);
    const pictures = await preparedPictures(this.images, files);
    const wanted = this.withoutOwnPage(toEventChange(body));
    const work = this.events.update(key, { ...wanted, ...pictures }, (current) => {
      this.check(request, current);
      refuseOtherThanAnswered(body, this.shown(current), ['identifier', 'image']);
      const category = toCategory(body, current);
      const url = keepUrl(
        wanted,
        current,
        toSchemaOrgEvent(current, currentTenant(), this.events.pageOf(current))['url'],
      );
      return { ...url, ...(category && { category }) };
    });
    return applyPrefer(request, response, this.answer(known(await mapRefusals(work)), response));
  }

  @Delete(':key')
  @Describe(eventsApi.remove)
  @HttpCode(204)
  async remove(@Param('key', EventKey) key: string, @Req() request: Request): Promise<void> {
    const removed = await mapRefusals(this.events.remove(key, (current) => this.check(request, current)));
    if (!removed) throw eventProblem('event.unknown');
  }

  @NeedsModule('events')
  @Post(':key/link-address')
  @Describe(eventsApi.linkAddress)
  @HttpCode(200)
  async linkAddress(
    @Param('key', EventKey) key: string,
    @Body() body: LinkAddressBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const { postalAddressId: id } = body;
    const address = id === undefined ? toNewAddress(body) : { id: String(id) };
    const work = this.events.link(key, address, (current) => this.check(request, current));
    const event = known(await mapRefusals(work, { postalAddressId: '/postalAddressId' }));
    return applyPrefer(request, response, this.answer(event, response));
  }

  @NeedsModule('ticketing')
  @Post(':key/link-product')
  @Describe(eventsApi.linkProduct)
  @HttpCode(200)
  async linkProduct(
    @Param('key', EventKey) key: string,
    @Body() body: LinkProductsBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const products = toLinkedProducts(body);
    const ids = products.map(({ id }) => id);
    const work = this.events.sell(key, ids, (current) => this.check(request, current));
    const event = known(await mapRefusals(work, pointersById(products)));
    return applyPrefer(request, response, this.answer(event, response));
  }

  /** The page of an event follows from the event: it is not stored as an address that was sent. */
  private withoutOwnPage<Change extends EventChange>(change: Change): Change {
    return change.url?.startsWith(this.events.pageOf({ slug: '' })) ? { ...change, url: null } : change;
  }

  private shown(event: WholeEvent, language = currentLanguage()): object {
    return toSchemaOrgEvent(event, { ...currentTenant(), language }, this.events.pageOf(event));
  }

  private answer(event: WholeEvent, response: Response): object {
    const answer = this.shown(event);
    showValidators(response, answer, lastChangeOf(event));
    return answer;
  }

  /** An address is linked by its identifier; what else an answer says of it is accepted and cannot be changed here. */
  private async checkAddress({ location }: EventBody): Promise<void> {
    const linked = location?.address;
    if (!linked?.identifier || !linkedAddressMembers.some((name) => name in linked)) return;
    const address = await this.addresses.find(String(linked.identifier));
    if (!address) return;
    const answered = toSchemaOrgAddress(address, this.events.pageOf({ slug: '' }));
    refuseOtherThanAnswered(linked, answered, linkedAddressMembers, '/location/address');
  }

  /** Who read the event in one language may change it in another. */
  private check(request: Request, event: WholeEvent): void {
    const tags = languages.map((language) => entityTag(this.shown(event, language)));
    checkPreconditions(request, { tags, modified: lastChangeOf(event) });
  }
}

function known(event: WholeEvent | undefined): WholeEvent {
  if (!event) throw eventProblem('event.unknown');
  return event;
}
