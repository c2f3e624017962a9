import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  Describe,
  JsonList,
  applyPrefer,
  showListValidators,
  showPages,
  showValidators,
  toPage,
  uuidParam,
  WholeList,
} from '#http';
import { Access, FirstMetaOnly, type CategoryCode } from '#tenancy';
import type { Request, Response } from 'express';
import { PlaceCreationService } from '../creation/place-creation.service.js';
import { problem } from '../places.problems.js';
import { PlacesService } from '../places.service.js';
import { placesApi } from './places-api.dto.js';
import { inWireWords, PlaceBody, PlacesQuery, toNewPlace, toPlaceRecord } from './places.dto.js';

/** Shared caches may keep it, and ask each time whether it is current. */
const publicCache = { 'Cache-Control': 'public, no-cache' };

/** The places of the server, on its first Meta. */
@Controller('api/place')
@FirstMetaOnly()
export class PlacesController {
  constructor(
    private readonly places: PlacesService,
    private readonly creation: PlaceCreationService,
  ) {}

  @Get()
  @WholeList()
  @Access('public')
  @Describe(placesApi.list)
  async list(
    @Query() query: PlacesQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<string> {
    const page = toPage(query);
    const list = new JsonList();
    const category = query.categorie as CategoryCode | undefined;
    const total = await this.places.list({ category, page }, (places) => list.add(places.map(toPlaceRecord)));
    showPages(request, response, page, total);
    showListValidators(response, list);
    response.set(publicCache);
    return list.answer(response);
  }

  @Get(':uuid')
  @Access('public')
  @Describe(placesApi.get)
  async get(
    @Param('uuid', uuidParam(() => problem('place.unknown'))) uuid: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    const place = await this.places.find(uuid);
    if (!place) throw problem('place.unknown');
    const record = toPlaceRecord(place);
    showValidators(response, record, place.updatedAt);
    response.set(publicCache);
    return record;
  }

  @Post()
  @Access('key', 'place')
  @Describe(placesApi.create)
  async create(
    @Body() body: PlaceBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const { keyId } = request.principal!;
    const id = await inWireWords(this.creation.create(toNewPlace(body), keyId));
    response.location(`/api/place/${id}/`);
    return applyPrefer(request, response, toPlaceRecord(await this.places.record(id)));
  }
}
