import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { AppliesPrefer, Describe, JsonList, MapsRefusals, reply, toPage, UuidParam, Versioned, WholeList, type Reply } from '#http';
import { Access, Caller, FirstMetaOnly, type CategoryCode, type Principal } from '#tenancy';
import { PlaceCreationService } from '../creation/place-creation.service.js';
import { problem } from '../places.problems.js';
import { PlacesService } from '../directory/places.service.js';
import { PlaceRecord } from './place-record.dto.js';
import { PlaceBody, placePointers, PlacesQuery, toNewPlace, toPlaceRecord } from './places.dto.js';

/** Shared caches may store the answer, but must revalidate it on each use. */
const cache = 'public, no-cache';

/** The places of the server, on its first Meta. */
@Controller('api/place')
@ApiTags('Places')
@FirstMetaOnly()
@MapsRefusals(placePointers)
export class PlacesController {
  constructor(
    private readonly places: PlacesService,
    private readonly creation: PlaceCreationService,
  ) {}

  @Get()
  @WholeList({ pages: true })
  @Versioned({ list: true, cache })
  @Access('public')
  @Describe({
    summary: 'Places of the server, the newest first',
    description: 'On the first Meta. Without Root, Metas and places that are suspended, archived or being deleted.',
    problems: ['route.unknown'],
  })
  @ApiOkResponse({ type: [PlaceRecord], description: 'The places' })
  async list(@Query() query: PlacesQuery): Promise<Reply<JsonList<PlaceRecord>>> {
    const page = toPage(query);
    const list = new JsonList<PlaceRecord>();
    const category = query.categorie as CategoryCode | undefined;
    const total = await this.places.list({ category, page }, (places) => list.add(places.map(toPlaceRecord)));
    return reply(list, { page: { page, total } });
  }

  @Get(':uuid')
  @Versioned({ modified: true, cache })
  @Access('public')
  @Describe({ summary: 'One place', description: 'On the first Meta.', problems: ['place.unknown', 'route.unknown'] })
  @ApiOkResponse({ type: PlaceRecord, description: 'The place' })
  async get(@UuidParam('uuid', () => problem('place.unknown')) uuid: string): Promise<Reply<PlaceRecord>> {
    const place = await this.places.find(uuid);
    if (!place) throw problem('place.unknown');
    return reply(toPlaceRecord(place), { modified: place.updatedAt });
  }

  @Post()
  @Access('key', 'place')
  @AppliesPrefer()
  @Describe({
    summary: 'A new place with its pictures, all of it or nothing',
    description:
      'On the first Meta, with a key of that Meta whose owner may create places. The owner becomes the first administrator of the ' +
      'place, which answers on its sub-domain as soon as this answer arrives. `phone` and `postal_code` are numbers or texts.',
    problems: ['place.permission', 'place.exists', 'place.root_exists', 'image.busy', 'tenant.busy', 'route.unknown'],
  })
  @ApiCreatedResponse({ type: PlaceRecord, description: 'Created' })
  async create(@Body() body: PlaceBody, @Caller() caller: Principal): Promise<Reply<PlaceRecord>> {
    const id = await this.creation.create(toNewPlace(body), caller.keyId);
    return reply(toPlaceRecord(await this.places.record(id)), { location: `/api/place/${id}/` });
  }
}
