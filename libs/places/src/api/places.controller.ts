import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { AppliesPrefer, Describe, JsonList, MapsRefusals, reply, toPage, UuidParam, Versioned, WholeList, type Reply } from '#http';
import { Access, Caller, FirstMetaOnly, type CategoryCode, type Principal } from '#tenancy';
import { PlaceCreationService } from '../creation/place-creation.service.js';
import { problem } from '../places.problems.js';
import { PlacesService } from '../directory/places.service.js';
import { placesApi } from './places-api.dto.js';
import { PlaceBody, placePointers, PlacesQuery, toNewPlace, toPlaceRecord } from './places.dto.js';

/** Shared caches may keep it, and ask each time whether it is current. */
const cache = 'public, no-cache';

/** The places of the server, on its first Meta. */
@Controller('api/place')
@FirstMetaOnly()
@MapsRefusals(placePointers)
export class PlacesController {
  constructor(
    private readonly places: PlacesService,
    private readonly creation: PlaceCreationService,
  ) {}

  @Get()
  @WholeList()
  @Versioned({ list: true, cache })
  @Access('public')
  @Describe(placesApi.list)
  async list(@Query() query: PlacesQuery): Promise<Reply<JsonList>> {
    const page = toPage(query);
    const list = new JsonList();
    const category = query.categorie as CategoryCode | undefined;
    const total = await this.places.list({ category, page }, (places) => list.add(places.map(toPlaceRecord)));
    return reply(list, { page: { page, total } });
  }

  @Get(':uuid')
  @Versioned({ modified: true, cache })
  @Access('public')
  @Describe(placesApi.get)
  async get(@UuidParam('uuid', () => problem('place.unknown')) uuid: string): Promise<Reply<object>> {
    const place = await this.places.find(uuid);
    if (!place) throw problem('place.unknown');
    return reply(toPlaceRecord(place), { modified: place.updatedAt });
  }

  @Post()
  @Access('key', 'place')
  @AppliesPrefer()
  @Describe(placesApi.create)
  async create(@Body() body: PlaceBody, @Caller() caller: Principal): Promise<Reply<object>> {
    const id = await this.creation.create(toNewPlace(body), caller.keyId);
    return reply(toPlaceRecord(await this.places.record(id)), { location: `/api/place/${id}/` });
  }
}
