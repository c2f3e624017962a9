import { Controller, Get, Header, Query } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { Describe } from '#http';
import { Access, Caller, type Principal } from '#tenancy';
import { readableTypes } from '../personal-data.js';
import { FeedAnswer, toFeedAnswer } from './webhook-answers.dto.js';
import { FeedQuery } from './webhooks.dto.js';
import { WebhookFeedService } from '../outbox/webhook-feed.service.js';

/** The pull feed of all events that are also delivered, for readers that poll or check for missed deliveries. */
@Controller('api/v2/webhook-events')
@ApiTags('Webhooks')
@Access('key', 'webhook')
export class WebhookFeedController {
  constructor(private readonly feed: WebhookFeedService) {}

  @Get()
  @Describe({
    summary: 'The feed: what happened lately (30 days by default), in commit order and without gaps',
    description: 'Types of reservations, tickets and memberships are left out for keys without the scope that reads them.',
    problems: ['webhook_event.unknown', 'webhook_event.pruned'],
  })
  @ApiOkResponse({ type: FeedAnswer, description: 'Events behind `after`, oldest first' })
  @Header('Cache-Control', 'no-store')
  async list(@Query() { after, limit = 100 }: FeedQuery, @Caller() caller: Principal): Promise<FeedAnswer> {
    const events = await this.feed.after(after?.toLowerCase(), limit, readableTypes(caller));
    const last = events.at(-1);
    // The value of `after` for the next request; unchanged when there was nothing new.
    const next = last ? Number(last.position) : after !== undefined && /^\d+$/.test(after) ? Number(after) : after;
    return { results: events.map(toFeedAnswer), next: next ?? 0, more: events.length === limit };
  }
}
