import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  AppliesPrefer,
  Describe,
  formats,
  IfMatch,
  MapsRefusals,
  Preconditions,
  UuidParam,
  Versioned,
  WholeList,
  type JsonList,
  type Reply,
} from '#http';
import { Access, NeedsModule } from '#tenancy';
import { bookingProblem } from '#tickets';
import { CodeChangeBody, codePointers, NewCodeBody } from './code-body.dto.js';
import { CodeAnswer, CodeList, CodesQuery } from './code.dto.js';
import { SemanticCodesService } from './semantic-codes.service.js';

const CodeId = (): ParameterDecorator => UuidParam('id', () => bookingProblem('code.unknown'));

/** Discount codes of the caller's tenant. */
@Controller('api/v2/codes')
@ApiTags('Codes')
@ApiParam({ name: 'id', description: 'Identifier of the code.', ...formats.uuid, example: '5b8e3f0a-1c55-4f0e-9a3e-7f1f6f0f2d11' })
@Access('key', 'code')
@MapsRefusals(codePointers)
export class SemanticCodesController {
  constructor(private readonly codes: SemanticCodesService) {}

  @Get()
  @WholeList()
  @Versioned({ list: true })
  @Describe({ summary: 'Discount codes, the newest first', description: 'All of them, unless a page is asked for.' })
  @ApiOkResponse({ type: CodeList, description: 'The codes' })
  list(@Query() query: CodesQuery): Promise<Reply<JsonList<CodeAnswer>>> {
    return this.codes.list(query);
  }

  @NeedsModule('ticketing')
  @Post()
  @Versioned()
  @AppliesPrefer()
  @Describe({
    summary: 'A new discount code',
    description:
      'Each ticket that it reduces or opens, and each membership that it reduces, is one use. A use is taken with the hold or the ' +
      'booking; what expires, is cancelled or refunded gives it back.',
  })
  @ApiCreatedResponse({ type: CodeAnswer, description: 'Made' })
  create(@Body() body: NewCodeBody): Promise<Reply<CodeAnswer>> {
    return this.codes.create(body);
  }

  @Get(':id')
  @Versioned()
  @Describe({ summary: 'One discount code', description: 'With what it was used for.', problems: ['code.unknown'] })
  @ApiOkResponse({ type: CodeAnswer, description: 'The code' })
  get(@CodeId() id: string): Promise<Reply<CodeAnswer>> {
    return this.codes.get(id);
  }

  @NeedsModule('ticketing')
  @Patch(':id')
  @Versioned()
  @AppliesPrefer()
  @Describe({
    summary: 'Change a discount code (JSON merge patch)',
    description: 'What is absent stays, null removes. Sold tickets keep what they cost.',
    problems: ['code.unknown'],
  })
  @ApiOkResponse({ type: CodeAnswer, description: 'The code as it is now' })
  change(@CodeId() id: string, @Body() body: CodeChangeBody, @IfMatch() conditions: Preconditions): Promise<Reply<CodeAnswer>> {
    return this.codes.change(id, body, conditions);
  }
}
