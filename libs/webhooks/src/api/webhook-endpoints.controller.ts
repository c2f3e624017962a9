import { Body, Controller, Delete, Get, Header, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import { Describe, formats, reply, UuidParam, type Reply } from '#http';
import { isoInZone } from '#kernel';
import { Access, Caller, currentTenant, NeedsModule, type Principal } from '#tenancy';
import { WebhookDeliveriesService } from '../delivery/webhook-deliveries.service.js';
import {
  DeliveryList,
  EndpointAnswer,
  EndpointList,
  NewEndpointAnswer,
  PingAnswer,
  SecretAnswer,
  SentAgainAnswer,
  toDeliveryAnswer,
  toEndpointAnswer,
} from './webhook-answers.dto.js';
import { DeliveriesQuery, EndpointChangeBody, NewEndpointBody, SendAgainBody } from './webhooks.dto.js';
import { demandScopesOf } from '../personal-data.js';
import { problem } from '../webhooks.problems.js';
import { WebhookEndpointsService } from './webhook-endpoints.service.js';

const unknown = ['webhook_endpoint.unknown'];
const EndpointId = (): ParameterDecorator => UuidParam('id', () => problem('webhook_endpoint.unknown'));

/** The webhook endpoints of the caller's tenant; the panel shows the same ones. */
@Controller('api/v2/webhook-endpoints')
@ApiTags('Webhooks')
@ApiParam({ name: 'id', description: 'Identifier of the endpoint.', ...formats.uuid, example: '6f1c8f0e-2f0b-4a0e-9a63-5d3f3b8f1a11' })
@Access('key', 'webhook')
export class WebhookEndpointsController {
  constructor(
    private readonly endpoints: WebhookEndpointsService,
    private readonly deliveries: WebhookDeliveriesService,
  ) {}

  @Get()
  @Describe({ summary: 'All webhook endpoints', description: 'Secrets are not shown again.' })
  @ApiOkResponse({ type: EndpointList, description: 'The endpoints' })
  @Header('Cache-Control', 'no-store')
  async list(): Promise<EndpointList> {
    return { results: (await this.endpoints.list()).map(toEndpointAnswer) };
  }

  @NeedsModule('events')
  @Post()
  @Describe({
    summary: 'A new webhook endpoint',
    description:
      'At most 20. The secret signs every delivery (Standard Webhooks 1.0) and is shown this once. Types of reservations, tickets ' +
      'and memberships, and `*`, also need the scope that reads them.',
    problems: ['webhook_endpoint.too_many'],
  })
  @ApiCreatedResponse({ type: NewEndpointAnswer, description: 'Made' })
  @Header('Cache-Control', 'no-store')
  async create(@Body() body: NewEndpointBody, @Caller() caller: Principal): Promise<Reply<NewEndpointAnswer>> {
    demandScopesOf(caller, body.types);
    const { endpoint, secret } = await this.endpoints.create(body);
    const location = `/api/v2/webhook-endpoints/${endpoint.id}/`;
    return reply({ ...toEndpointAnswer(endpoint), secret }, { location });
  }

  @Get(':id')
  @Describe({
    summary: 'One webhook endpoint',
    description: 'Its state and when it last answered. The secret is not shown again.',
    problems: unknown,
  })
  @ApiOkResponse({ type: EndpointAnswer, description: 'The endpoint' })
  @Header('Cache-Control', 'no-store')
  async get(@EndpointId() id: string): Promise<EndpointAnswer> {
    return toEndpointAnswer(await this.endpoints.get(id));
  }

  @Patch(':id')
  @Describe({
    summary: 'Change, disable or enable an endpoint',
    description: 'What is absent stays. Enabling, and another address, send what waits.',
    problems: unknown,
  })
  @ApiOkResponse({ type: EndpointAnswer, description: 'The endpoint as it is now' })
  @Header('Cache-Control', 'no-store')
  async change(@EndpointId() id: string, @Body() body: EndpointChangeBody, @Caller() caller: Principal): Promise<EndpointAnswer> {
    const check = (types: readonly string[]): void => demandScopesOf(caller, types);
    return toEndpointAnswer(await this.endpoints.update(id, body, check));
  }

  @Delete(':id')
  @Describe({
    summary: 'Delete an endpoint and its deliveries',
    description: 'Nothing is sent to it any more; what waits is dropped.',
    problems: unknown,
  })
  @ApiNoContentResponse({ description: 'Deleted' })
  @HttpCode(204)
  remove(@EndpointId() id: string): Promise<void> {
    return this.endpoints.remove(id);
  }

  @Post(':id/rotate-secret')
  @Describe({
    summary: 'A new secret',
    description: 'For 24 hours deliveries are signed with the old one as well.',
    problems: unknown,
  })
  @ApiOkResponse({ type: SecretAnswer, description: 'The new secret' })
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  async rotateSecret(@EndpointId() id: string): Promise<SecretAnswer> {
    const { secret, previousValidUntil } = await this.endpoints.rotateSecret(id);
    const until = isoInZone(previousValidUntil, currentTenant().timeZone);
    return { identifier: id, secret, previousSecretValidUntil: until };
  }

  @Post(':id/ping')
  @Describe({
    summary: 'Send a test',
    description: 'Sends `webhook.ping` to this endpoint alone. It does not appear in the feed.',
    problems: [...unknown, 'webhook_endpoint.disabled'],
  })
  @ApiAcceptedResponse({ type: PingAnswer, description: 'On its way' })
  @HttpCode(202)
  async ping(@EndpointId() id: string): Promise<PingAnswer> {
    const { deliveryId, eventId } = await this.deliveries.ping(id);
    return { delivery: deliveryId, event: eventId };
  }

  @Get(':id/deliveries')
  @Describe({
    summary: 'Deliveries of an endpoint, the newest first',
    description: 'Each with its state and the outcome of its last attempt. Kept for 30 days by default.',
    problems: unknown,
  })
  @ApiOkResponse({ type: DeliveryList, description: 'The deliveries' })
  @Header('Cache-Control', 'no-store')
  async listDeliveries(@EndpointId() id: string, @Query() query: DeliveriesQuery): Promise<DeliveryList> {
    const { status, limit = 100 } = query;
    return { results: (await this.deliveries.list({ endpointId: id, status, limit })).map(toDeliveryAnswer) };
  }

  @Post(':id/send-again')
  @Describe({
    summary: 'Send again',
    description: 'One delivery, or everything since a moment that did not arrive, what happened while the endpoint was disabled included.',
    problems: [...unknown, 'webhook_endpoint.disabled', 'webhook_delivery.unknown', 'webhook_delivery.choose'],
  })
  @ApiAcceptedResponse({ type: SentAgainAnswer, description: 'On their way' })
  @HttpCode(202)
  async sendAgain(@EndpointId() id: string, @Body() body: SendAgainBody): Promise<SentAgainAnswer> {
    const { delivery, since } = body;
    if ((delivery === undefined) === (since === undefined)) throw problem('webhook_delivery.choose');
    if (since !== undefined) return { deliveries: await this.deliveries.sendFailedAgain(id, new Date(since)) };
    await this.deliveries.sendAgain(delivery as string, id);
    return { deliveries: 1 };
  }
}
