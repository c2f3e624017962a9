import { Body, Controller, Delete, Get, Header, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { Describe, reply, UuidParam, type Reply } from '#http';
import { isoInZone } from '#kernel';
import { Access, Caller, currentTenant, NeedsModule, type Principal } from '#tenancy';
import { WebhookDeliveriesService } from '../delivery/webhook-deliveries.service.js';
import { DeliveriesQuery, EndpointChangeBody, NewEndpointBody, SendAgainBody, toDeliveryAnswer, toEndpointAnswer } from './webhooks.dto.js';
import { demandScopesOf } from '../personal-data.js';
import { webhooksApi } from './webhooks.api.js';
import { problem } from '../webhooks.problems.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

const EndpointId = (): ParameterDecorator => UuidParam('id', () => problem('webhook_endpoint.unknown'));

/** The endpoints of the caller's tenant, the same that the panel shows. */
@Controller('api/v2/webhook-endpoints')
@Access('key', 'webhook')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: WebhookDeliveriesService,
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
  async create(@Body() body: NewEndpointBody, @Caller() caller: Principal): Promise<Reply<object>> {
    demandScopesOf(caller, body.types);
    const { endpoint, secret } = await this.endpoints.create(body);
    const location = `/api/v2/webhook-endpoints/${endpoint.id}/`;
    return reply({ ...toEndpointAnswer(endpoint), secret }, { location });
  }

  @Get(':id')
  @Describe(webhooksApi.get)
  @Header('Cache-Control', 'no-store')
  async get(@EndpointId() id: string): Promise<object> {
    return toEndpointAnswer(await this.endpoints.get(id));
  }

  @Patch(':id')
  @Describe(webhooksApi.change)
  @Header('Cache-Control', 'no-store')
  async change(@EndpointId() id: string, @Body() body: EndpointChangeBody, @Caller() caller: Principal): Promise<object> {
    const check = (types: readonly string[]): void => demandScopesOf(caller, types);
    return toEndpointAnswer(await this.endpoints.update(id, body, check));
  }

  @Delete(':id')
  @Describe(webhooksApi.remove)
  @HttpCode(204)
  remove(@EndpointId() id: string): Promise<void> {
    return this.endpoints.remove(id);
  }

  @Post(':id/rotate-secret')
  @Describe(webhooksApi.rotateSecret)
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async rotateSecret(@EndpointId() id: string): Promise<object> {
    const { secret, previousValidUntil } = await this.endpoints.rotateSecret(id);
    const until = isoInZone(previousValidUntil, currentTenant().timeZone);
    return { identifier: id, secret, previousSecretValidUntil: until };
  }

  @Post(':id/ping')
  @Describe(webhooksApi.ping)
  @HttpCode(202)
  async ping(@EndpointId() id: string): Promise<object> {
    const { deliveryId, eventId } = await this.deliveries.ping(id);
    return { delivery: deliveryId, event: eventId };
  }

  @Get(':id/deliveries')
  @Describe(webhooksApi.deliveries)
  @Header('Cache-Control', 'no-store')
  async listDeliveries(@EndpointId() id: string, @Query() query: DeliveriesQuery): Promise<object> {
    const { status, limit = 100 } = query;
    return { results: (await this.deliveries.list({ endpointId: id, status, limit })).map(toDeliveryAnswer) };
  }

  @Post(':id/send-again')
  @Describe(webhooksApi.sendAgain)
  @HttpCode(202)
  async sendAgain(@EndpointId() id: string, @Body() body: SendAgainBody): Promise<object> {
    const { delivery, since } = body;
    if ((delivery === undefined) === (since === undefined)) throw problem('webhook_delivery.choose');
    if (since !== undefined) return { deliveries: await this.deliveries.sendFailedAgain(id, new Date(since)) };
    await this.deliveries.sendAgain(delivery as string, id);
    return { deliveries: 1 };
  }
}
