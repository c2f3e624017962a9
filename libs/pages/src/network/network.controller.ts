import { Controller, Get, Req, Res } from '@nestjs/common';
import { kernelProblem } from '#kernel';
import { Access, AnyOrigin, hasModule } from '#tenancy';
import type { Request, Response } from 'express';
import { NetworkPagesService } from './network-pages.service.js';

/** What only networks have; other tenants answer 404. Their agenda itself is at the addresses of every agenda. */
@Controller()
@Access('public')
export class NetworkController {
  constructor(private readonly network: NetworkPagesService) {}

  @Get('agenda.json')
  @AnyOrigin()
  async json(@Req() request: Request, @Res() response: Response): Promise<void> {
    demandNetwork();
    await this.network.json(request, response);
  }

  @Get('places')
  async places(@Res() response: Response): Promise<void> {
    demandNetwork();
    await this.network.places(response);
  }
}

/** @throws Problem `route.unknown` */
function demandNetwork(): void {
  if (!hasModule('federated-agenda')) throw kernelProblem('route.unknown');
}
