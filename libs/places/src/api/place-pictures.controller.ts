import { Controller, Get, Param } from '@nestjs/common';
import { imageProblem, imageReply, ImagesService } from '#catalogue';
import type { Reply } from '#http';
import { isUuid } from '#kernel';
import { Access, AnyOrigin, currentTenant, runInTenant, TenantsService } from '#tenancy';
import { PlacesService } from '../directory/places.service.js';

/**
 * Images of the public records of places, on the first Meta and on the host of the place, because the paths in the records are relative
 * to both.
 */
@Controller('images')
@Access('public', 'pictures')
export class PlacePicturesController {
  constructor(
    private readonly images: ImagesService,
    private readonly places: PlacesService,
    private readonly tenants: TenantsService,
  ) {}

  @Get(':place/:id/:file')
  @AnyOrigin()
  async show(@Param('place') placeId: string, @Param('id') id: string, @Param('file') file: string): Promise<Reply<Buffer>> {
    const here = currentTenant().id === placeId.toLowerCase() || (await this.tenants.isFirstMeta());
    const place = here && isUuid(placeId) && isUuid(id) ? await this.places.find(placeId.toLowerCase()) : null;
    const shown = place && [place.imageId, place.logoImageId, place.mapImageId].includes(id.toLowerCase());
    const [tenant] = shown ? await this.tenants.byIds([place.tenantId]) : [];
    if (!tenant) throw imageProblem('image.unknown');
    return runInTenant(tenant, () => imageReply(this.images, id, file));
  }
}
