import { Injectable } from '@nestjs/common';
import { EventsService, ImagesService, type PreparedImage } from '#catalogue';
import { PlaceProfileService } from '#places';
import type { DemoTenant } from '../basics/demo-tenant.js';
import type { DemoPicture } from '../basics/demo-picture.js';
import { paint } from './demo-painter.js';

/** Adds the pictures of a demo tenant, and the settings of its pages, after its content was stored. */
@Injectable()
export class DemoPicturesService {
  constructor(
    private readonly events: EventsService,
    private readonly images: ImagesService,
    private readonly profiles: PlaceProfileService,
  ) {}

  /** @param ids of the events, in the order of the programme */
  async hang({ seed, profile, picture, logo, events }: DemoTenant, ids: readonly string[]): Promise<void> {
    const own = {
      ...(picture && { image: await this.draw(picture, seed, 960, 540) }),
      ...(logo && { logo: await this.draw(logo, seed, 240, 240) }),
    };
    await this.profiles.change({ ...profile, ...own });
    for (const [index, event] of events.entries()) {
      const id = ids[index];
      if (event.picture && id) await this.events.update(id, { picture: await this.draw(event.picture, seed + index + 1, 960, 540) });
    }
  }

  private async draw(picture: DemoPicture, seed: number, width: number, height: number): Promise<PreparedImage> {
    const { default: sharp } = await import('sharp');
    const pixels = paint(picture, seed, width, height);
    const bytes = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .jpeg({ quality: 90 })
      .toBuffer();
    return this.images.prepare(bytes, 'image');
  }
}
