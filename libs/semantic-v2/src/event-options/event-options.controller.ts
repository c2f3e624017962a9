import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Req, Res } from '@nestjs/common';
import { EventOptionsService, eventProblem, toOptionValue, type EventOption } from '#catalogue';
import {
  checkPreconditions,
  Describe,
  entityTag,
  applyPrefer,
  showListValidators,
  showValidators,
  uuidParam,
} from '#http';
import { Access, NeedsModule } from '#tenancy';
import type { Request, Response } from 'express';
import { refuseOtherThanAnswered } from '../shared/answered-members.js';
import { NewOptionBody, OptionChangeBody, toNewOption, toOptionChange } from './event-option-body.dto.js';
import { eventOptionsApi } from './event-options.api.js';
import { EventKey } from '../shared/event-key.js';
import { mapRefusals } from '../shared/refusals.dto.js';

const optionId = uuidParam(() => eventProblem('event.option_unknown'));

/** Options of one event, which who books may choose. */
@Controller('api/v2/events/:key/options')
@Access('key', 'event')
export class SemanticEventOptionsController {
  constructor(private readonly options: EventOptionsService) {}

  @Get()
  @Describe(eventOptionsApi.list)
  async list(@Param('key', EventKey) key: string, @Res({ passthrough: true }) response: Response): Promise<object> {
    const answer = { results: (await this.options.list(key)).map(toOptionValue) };
    showListValidators(response, answer);
    return answer;
  }

  @Post()
  @NeedsModule('ticketing')
  @Describe(eventOptionsApi.create)
  async create(
    @Param('key', EventKey) key: string,
    @Body() body: NewOptionBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const option = await mapRefusals(this.options.create(key, toNewOption(body)));
    response.location(`/api/v2/events/${option.eventId}/options/${option.id}/`);
    return applyPrefer(request, response, answer(option, response));
  }

  @Get(':id')
  @Describe(eventOptionsApi.get)
  async get(
    @Param('key', EventKey) key: string,
    @Param('id', optionId) id: string,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    return answer(await this.options.find(key, id), response);
  }

  @Patch(':id')
  @NeedsModule('ticketing')
  @Describe(eventOptionsApi.change)
  async change(
    @Param('key', EventKey) key: string,
    @Param('id', optionId) id: string,
    @Body() body: OptionChangeBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const work = this.options.update(key, id, toOptionChange(body), (current) => {
      check(request, current);
      refuseOtherThanAnswered(body, toOptionValue(current), ['identifier', 'kind']);
    });
    return applyPrefer(request, response, answer(await mapRefusals(work), response));
  }

  @Delete(':id')
  @Describe(eventOptionsApi.remove)
  @HttpCode(204)
  async remove(
    @Param('key', EventKey) key: string,
    @Param('id', optionId) id: string,
    @Req() request: Request,
  ): Promise<void> {
    await mapRefusals(this.options.remove(key, id, (current) => check(request, current)));
  }
}

function check(request: Request, current: EventOption): void {
  checkPreconditions(request, { tags: [entityTag(toOptionValue(current))] });
}

function answer(option: EventOption, response: Response): object {
  const shown = toOptionValue(option);
  showValidators(response, shown);
  return shown;
}
