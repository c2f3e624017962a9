import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  AppliesPrefer,
  Describe,
  formats,
  IfMatch,
  MapsRefusals,
  PageQuery,
  Preconditions,
  UuidParam,
  Versioned,
  WholeList,
  type JsonList,
  type Reply,
} from '#http';
import { Access, NeedsModule } from '#tenancy';
import { bookingProblem } from '#tickets';
import { CampaignChangeBody, campaignPointers, NewCampaignBody } from './campaign-body.dto.js';
import { CampaignAnswer, CampaignList } from './campaign.dto.js';
import { SemanticCampaignsService } from './semantic-campaigns.service.js';

const CampaignId = (): ParameterDecorator => UuidParam('id', () => bookingProblem('campaign.unknown'));

/** Campaigns of the caller's tenant. */
@Controller('api/v2/campaigns')
@ApiTags('Campaigns')
@ApiParam({ name: 'id', description: 'Identifier of the campaign.', ...formats.uuid, example: '7c5e0f0a-4c55-4f0e-9a3e-7f1f6f0f2d33' })
@Access('key', 'campaign')
@MapsRefusals(campaignPointers)
export class SemanticCampaignsController {
  constructor(private readonly campaigns: SemanticCampaignsService) {}

  @Get()
  @WholeList()
  @Versioned({ list: true })
  @Describe({
    summary: 'Campaigns, the newest first',
    description: 'All, also hidden ones and those that have ended, unless a page is asked for.',
  })
  @ApiOkResponse({ type: CampaignList, description: 'The campaigns' })
  list(@Query() query: PageQuery): Promise<Reply<JsonList<CampaignAnswer>>> {
    return this.campaigns.list(query);
  }

  @NeedsModule('ticketing')
  @Post()
  @Versioned()
  @AppliesPrefer()
  @Describe({ summary: 'A new campaign', description: 'It has a page as soon as it is published. Its picture is set in the panel.' })
  @ApiCreatedResponse({ type: CampaignAnswer, description: 'Made' })
  create(@Body() body: NewCampaignBody): Promise<Reply<CampaignAnswer>> {
    return this.campaigns.create(body);
  }

  @Get(':id')
  @Versioned()
  @Describe({ summary: 'One campaign', description: 'With what was given for it.', problems: ['campaign.unknown'] })
  @ApiOkResponse({ type: CampaignAnswer, description: 'The campaign' })
  get(@CampaignId() id: string): Promise<Reply<CampaignAnswer>> {
    return this.campaigns.get(id);
  }

  @NeedsModule('ticketing')
  @Patch(':id')
  @Versioned()
  @AppliesPrefer()
  @Describe({
    summary: 'Change a campaign (JSON merge patch)',
    description: 'What is absent stays, null removes. Donations keep the name that it had.',
    problems: ['campaign.unknown'],
  })
  @ApiOkResponse({ type: CampaignAnswer, description: 'The campaign as it is now' })
  change(@CampaignId() id: string, @Body() body: CampaignChangeBody, @IfMatch() conditions: Preconditions): Promise<Reply<CampaignAnswer>> {
    return this.campaigns.change(id, body, conditions);
  }
}
