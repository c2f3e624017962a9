import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  Post,
  Req,
  Res,
  type PipeTransform,
} from '@nestjs/common';
import { PostalAddresses, toSchemaOrgAddress, type PostalAddress } from '#catalogue';
import { checkPreconditions, Describe, entityTag, preferred, showValidators } from '#kernel';
import { Access } from '#tenancy';
import type { Request, Response } from 'express';
import { AddressChangeBody, NewAddressBody, toAddressChange, toGeo, toNewAddress } from './postal-address-body.dto.js';
import { inWords } from './refusals.dto.js';
import { addressesApi } from './semantic-v2.api.js';
import { problem } from './semantic-v2.problems.js';

/** What cannot be an id is answered like an unknown one. */
class AddressId implements PipeTransform<string> {
  transform(id: string): string {
    if (!/^[1-9]\d{0,17}$/.test(id)) throw problem('postal_address.unknown');
    return id;
  }
}

/** Addresses of the caller's tenant as schema.org PostalAddress. */
@Controller('api/v2/postal-addresses')
@Access('key', 'event')
export class SemanticPostalAddressesController {
  constructor(private readonly addresses: PostalAddresses) {}

  @Get()
  @Describe(addressesApi.list)
  async list(@Res({ passthrough: true }) response: Response): Promise<object> {
    const answer = { results: (await this.addresses.list()).map(toSchemaOrgAddress) };
    showValidators(response, answer);
    return answer;
  }

  @Post()
  @Describe(addressesApi.create)
  async create(
    @Body() body: NewAddressBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const address = await inWords(this.addresses.create(toNewAddress(body)));
    response.location(`/api/v2/postal-addresses/${address.id}/`);
    return preferred(request, response, answerOf(address, response));
  }

  @Get(':id')
  @Describe(addressesApi.get)
  async get(@Param('id', AddressId) id: string, @Res({ passthrough: true }) response: Response): Promise<object> {
    return answerOf(known(await this.addresses.find(id)), response);
  }

  @Patch(':id')
  @Describe(addressesApi.change)
  async change(
    @Param('id', AddressId) id: string,
    @Body() body: AddressChangeBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const work = this.addresses.update(id, toAddressChange(body), (current) => {
      check(request, current);
      return toGeo(body, current);
    });
    return preferred(request, response, answerOf(known(await inWords(work)), response));
  }

  @Delete(':id')
  @Describe(addressesApi.remove)
  @HttpCode(204)
  async remove(@Param('id', AddressId) id: string, @Req() request: Request): Promise<void> {
    if (!(await this.addresses.remove(id, (current) => check(request, current))))
      throw problem('postal_address.unknown');
  }
}

function answerOf(address: PostalAddress, response: Response): object {
  const answer = toSchemaOrgAddress(address);
  showValidators(response, answer, address.updatedAt);
  return answer;
}

function check(request: Request, address: PostalAddress): void {
  checkPreconditions(request, { tags: [entityTag(toSchemaOrgAddress(address))], modified: address.updatedAt });
}

function known(address: PostalAddress | null | undefined): PostalAddress {
  if (!address) throw problem('postal_address.unknown');
  return address;
}
