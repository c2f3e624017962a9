import { Controller, Get, Query } from '@nestjs/common';
import type { Reply } from '#http';
import { kernelProblem } from '#kernel';
import { Access, AnyOrigin, hasModule } from '#tenancy';
import { NetworkPagesService } from './network-pages.service.js';

/** What only networks have; other tenants answer 404. Their agenda itself is at the addresses of every agenda. */
@Controller()
@Access('public')
export class NetworkController {
  constructor(private readonly network: NetworkPagesService) {}

  @Get('agenda.json')
  @AnyOrigin()
  json(@Query() query: Record<string, unknown>): Promise<Reply<string>> {
    demandNetwork();
    return this.network.json(query);
  }

  @Get('places')
  places(): Promise<Reply<string>> {
    demandNetwork();
    return this.network.places();
  }
}

/** @throws Problem `route.unknown` */
function demandNetwork(): void {
  if (!hasModule('federated-agenda')) throw kernelProblem('route.unknown');
}
