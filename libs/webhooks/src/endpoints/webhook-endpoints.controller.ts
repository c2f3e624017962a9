import { Body, Controller, Delete, Get, Header, HttpCode, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { Describe, uuidParam } from '#http';
import { isoInZone } from '#kernel';
import { Access, currentTenant, NeedsModule } from '#tenancy';
import type { Request, Response } from 'express';
import { WebhookDeliveries } from '../delivery/webhook-deliveries.service.js';
import {
  DeliveriesQuery,
  EndpointChangeBody,
  NewEndpointBody,
  SendAgainBody,
  toDeliveryAnswer,
  toEndpointAnswer,
} from '../webhooks.dto.js';
import { demandScopesOf } from '../personal-data.js';
import { webhooksApi } from '../webhooks.api.js';
import { problem } from '../webhooks.problems.js';
import { WebhookEndpoints } from './webhook-endpoints.service.js';

const endpointId = uuidParam(() => problem('webhook_endpoint.unknown'));

/** Endpoints of the caller's tenant: the same that the panel shows. */
@Controller('api/v2/webhook-endpoints')
@Access('key', 'webhook')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpoints,
    private readonly deliveries: WebhookDeliveries,
  ) {}

  @Get()
  @Describe(webhooksApi.list)
  @Header('Cache-Control', 'no-store')
  async list(): Promise<object> {
    return { results: (await this.endpoints.list()).map(toEndpointAnswer) };
  }

  @NeedsModule('events')
  @Post()
  @Describe(webhooksApi.create)
  @Header('Cache-Control', 'no-store')
  async create(
    @Body() body: NewEndpointBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object> {
    demandScopesOf(request, body.types);
    const { endpoint, secret } = await this.endpoints.create(body);
    response.location(`/api/v2/webhook-endpoints/${endpoint.id}/`);
    return { ...toEndpointAnswer(endpoint), secret };
  }

  @Get(':id')
  @Describe(webhooksApi.get)
  @Header('Cache-Control', 'no-store')
  async get(@Param('id', endpointId) id: string): Promise<object> {
    return toEndpointAnswer(await this.endpoints.get(id));
  }

  @Patch(':id')
  @Describe(webhooksApi.change)
  @Header('Cache-Control', 'no-store')
  async change(
    @Param('id', endpointId) id: string,
    @Body() body: EndpointChangeBody,
    @Req() request: Request,
  ): Promise<object> {
    const check = (types: readonly string[]): void => demandScopesOf(request, types);
    return toEndpointAnswer(await this.endpoints.update(id, body, check));
  }

  @Delete(':id')
  @Describe(webhooksApi.remove)
  @HttpCode(204)
  remove(@Param('id', endpointId) id: string): Promise<void> {
    return this.endpoints.remove(id);
  }

  @Post(':id/rotate-secret')
  @Describe(webhooksApi.rotateSecret)
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async rotateSecret(@Param('id', endpointId) id: string): Promise<object> {
    const { secret, previousValidUntil } = await this.endpoints.rotateSecret(id);
    const until = isoInZone(previousValidUntil, currentTenant().timeZone);
    return { identifier: id, secret, previousSecretValidUntil: until };
  }

  @Post(':id/ping')
  @Describe(webhooksApi.ping)
  @HttpCode(202)
  async ping(@Param('id', endpointId) id: string): Promise<object> {
    const { deliveryId, eventId } = await this.deliveries.ping(id);
    return { delivery: deliveryId, event: eventId };
  }

  @Get(':id/deliveries')
  @Describe(webhooksApi.deliveries)
  @Header('Cache-Control', 'no-store')
  async listDeliveries(@Param('id', endpointId) id: string, @Query() query: DeliveriesQuery): Promise<object> {
    const { status, limit = 100 } = query;
    return { results: (await this.deliveries.list({ endpointId: id, status, limit })).map(toDeliveryAnswer) };
  }

  @Post(':id/send-again')
  @Describe(webhooksApi.sendAgain)
  @HttpCode(202)
  async sendAgain(@Param('id', endpointId) id: string, @Body() body: SendAgainBody): Promise<object> {
    const { delivery, since } = body;
    if ((delivery === undefined) === (since === undefined)) throw problem('webhook_delivery.choose');
    if (since !== undefined) return { deliveries: await this.deliveries.sendFailedAgain(id, new Date(since)) };
    await this.deliveries.sendAgain(delivery as string, id);
    return { deliveries: 1 };
  }
}
