import { Controller, Get, Header, Query } from '@nestjs/common';
import { Describe } from '#http';
import { Access, Caller, type Principal } from '#tenancy';
import { readableTypes } from '../personal-data.js';
import { webhooksApi } from './webhooks.api.js';
import { FeedQuery, toFeedAnswer } from './webhooks.dto.js';
import { WebhookFeedService } from '../outbox/webhook-feed.service.js';

/** The pull feed: the same events that are delivered, for readers that poll or want to check that they missed nothing. */
@Controller('api/v2/webhook-events')
@Access('key', 'webhook')
export class WebhookFeedController {
  constructor(private readonly feed: WebhookFeedService) {}

  @Get()
  @Describe(webhooksApi.feed)
  @Header('Cache-Control', 'no-store')
  async list(@Query() { after, limit = 100 }: FeedQuery, @Caller() caller: Principal): Promise<object> {
    const events = await this.feed.after(after?.toLowerCase(), limit, readableTypes(caller));
    const last = events.at(-1);
    // The value of `after` for the next request; unchanged when there was nothing new.
    const next = last ? Number(last.position) : after !== undefined && /^\d+$/.test(after) ? Number(after) : after;
    return { results: events.map(toFeedAnswer), next: next ?? 0, more: events.length === limit };
  }
}
