import { Controller, Get } from '@nestjs/common';
import type { Reply } from '#http';
import { kernelProblem } from '#kernel';
import { Access, hasModule } from '#tenancy';
import { NetworkPagesService } from './network-pages.service.js';

/** Routes of networks only; other tenants answer 404. The agenda itself has the same paths as other agendas. */
@Controller()
@Access('public')
export class NetworkController {
  constructor(private readonly network: NetworkPagesService) {}

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
