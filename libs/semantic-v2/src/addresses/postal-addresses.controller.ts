import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, type PipeTransform } from '@nestjs/common';
import { AppliesPrefer, Describe, FormFiles, IfMatch, MapsRefusals, Preconditions, Versioned, WholeList, type Reply } from '#http';
import { Access, NeedsModule } from '#tenancy';
import { TakesAddressForm, type PictureFiles } from '../shared/picture-form.js';
import { eventPointers } from '../shared/refusals.dto.js';
import { problem } from '../shared/semantic-v2.problems.js';
import { addressesApi } from './addresses.api.js';
import { AddressChangeBody, NewAddressBody } from './postal-address-body.dto.js';
import { SemanticAddressesService } from './semantic-addresses.service.js';

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
@MapsRefusals(eventPointers)
export class SemanticPostalAddressesController {
  constructor(private readonly addresses: SemanticAddressesService) {}

  @Get()
  @WholeList()
  @Versioned({ list: true })
  @Describe(addressesApi.list)
  list(): Promise<Reply<object>> {
    return this.addresses.list();
  }

  @NeedsModule('events')
  @Post()
  @TakesAddressForm()
  @Versioned({ modified: true })
  @AppliesPrefer()
  @Describe(addressesApi.create)
  create(@Body() body: NewAddressBody, @FormFiles() files: PictureFiles): Promise<Reply<object>> {
    return this.addresses.create(body, files);
  }

  @Get(':id')
  @Versioned({ modified: true })
  @Describe(addressesApi.get)
  get(@Param('id', AddressId) id: string): Promise<Reply<object>> {
    return this.addresses.get(id);
  }

  @NeedsModule('events')
  @Patch(':id')
  @TakesAddressForm()
  @Versioned({ modified: true })
  @AppliesPrefer()
  @Describe(addressesApi.change)
  change(
    @Param('id', AddressId) id: string,
    @Body() body: AddressChangeBody,
    @FormFiles() files: PictureFiles,
    @IfMatch() conditions: Preconditions,
  ): Promise<Reply<object>> {
    return this.addresses.change(id, body, files, conditions);
  }

  @Delete(':id')
  @Describe(addressesApi.remove)
  @HttpCode(204)
  remove(@Param('id', AddressId) id: string, @IfMatch() conditions: Preconditions): Promise<void> {
    return this.addresses.remove(id, conditions);
  }
}
