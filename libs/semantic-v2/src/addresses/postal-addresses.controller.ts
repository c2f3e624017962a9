import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Inject,
  Param,
  Patch,
  Post,
  Req,
  Res,
  type PipeTransform,
} from '@nestjs/common';
import { Images, PostalAddresses, toSchemaOrgAddress, type PostalAddress } from '#catalogue';
import {
  checkPreconditions,
  Describe,
  entityTag,
  FormFiles,
  applyPrefer,
  showListValidators,
  showValidators,
  WholeList,
} from '#http';
import { SETTINGS, type Settings } from '#kernel';
import { Access, currentTenant, NeedsModule, tenantUrl } from '#tenancy';
import type { Request, Response } from 'express';
import { refuseOtherThanAnswered } from '../shared/answered-members.js';
import { preparedPictures, TakesAddressForm, type PictureFiles } from '../shared/picture-form.js';
import { AddressChangeBody, NewAddressBody, toAddressChange, toGeo, toNewAddress } from './postal-address-body.dto.js';
import { mapRefusals } from '../shared/refusals.dto.js';
import { addressesApi } from './addresses.api.js';
import { problem } from '../shared/semantic-v2.problems.js';

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
  constructor(
    private readonly addresses: PostalAddresses,
    private readonly images: Images,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @Get()
  @WholeList()
  @Describe(addressesApi.list)
  async list(@Res({ passthrough: true }) response: Response): Promise<object> {
    const answer = { results: (await this.addresses.list()).map((address) => this.shown(address)) };
    showListValidators(response, answer);
    return answer;
  }

  @NeedsModule('events')
  @Post()
  @TakesAddressForm()
  @Describe(addressesApi.create)
  async create(
    @Body() body: NewAddressBody,
    @FormFiles() files: PictureFiles,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const pictures = await preparedPictures(this.images, files);
    const address = await mapRefusals(this.addresses.create({ ...toNewAddress(body), ...pictures }));
    response.location(`/api/v2/postal-addresses/${address.id}/`);
    return applyPrefer(request, response, this.answer(address, response));
  }

  @Get(':id')
  @Describe(addressesApi.get)
  async get(@Param('id', AddressId) id: string, @Res({ passthrough: true }) response: Response): Promise<object> {
    return this.answer(known(await this.addresses.find(id)), response);
  }

  @NeedsModule('events')
  @Patch(':id')
  @TakesAddressForm()
  @Describe(addressesApi.change)
  async change(
    @Param('id', AddressId) id: string,
    @Body() body: AddressChangeBody,
    @FormFiles() files: PictureFiles,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<object | undefined> {
    const pictures = await preparedPictures(this.images, files);
    const work = this.addresses.update(id, { ...toAddressChange(body), ...pictures }, (current) => {
      this.check(request, current);
      refuseOtherThanAnswered(body, this.shown(current), ['identifier', 'image']);
      return toGeo(body, current);
    });
    return applyPrefer(request, response, this.answer(known(await mapRefusals(work)), response));
  }

  @Delete(':id')
  @Describe(addressesApi.remove)
  @HttpCode(204)
  async remove(@Param('id', AddressId) id: string, @Req() request: Request): Promise<void> {
    if (!(await this.addresses.remove(id, (current) => this.check(request, current))))
      throw problem('postal_address.unknown');
  }

  private shown(address: PostalAddress): object {
    return toSchemaOrgAddress(address, tenantUrl(this.settings, currentTenant(), '/'));
  }

  private answer(address: PostalAddress, response: Response): object {
    const answer = this.shown(address);
    showValidators(response, answer, address.updatedAt);
    return answer;
  }

  private check(request: Request, address: PostalAddress): void {
    checkPreconditions(request, { tags: [entityTag(this.shown(address))], modified: address.updatedAt });
  }
}

function known(address: PostalAddress | null | undefined): PostalAddress {
  if (!address) throw problem('postal_address.unknown');
  return address;
}
