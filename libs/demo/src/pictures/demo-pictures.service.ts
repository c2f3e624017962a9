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

  /** Events that have a picture keep it. @param ids of the events by name */
  async hang({ seed, profile, picture, logo, events }: DemoTenant, ids: ReadonlyMap<string, string>): Promise<void> {
    const own = {
      ...(picture && { image: await this.draw(picture, seed, 960, 540) }),
      ...(logo && { logo: await this.draw(logo, seed, 240, 240) }),
    };
    await this.profiles.change({ ...profile, ...own });
    for (const [index, event] of events.entries()) {
      const id = ids.get(event.name);
      if (event.picture && id && (await this.events.find(id))?.imageId === null)
        await this.events.update(id, { picture: await this.draw(event.picture, seed + index + 1, 960, 540) });
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
